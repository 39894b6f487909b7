import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { seededRandom } from '../../platform/random.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

const random = seededRandom(5);

test('a password is known by its hash, another is not', async () => {
  const hash = await hashPassword('seven geese over a barn', random);
  const right = { isCorrect: true, isOutdated: false };
  expect(await verifyPassword('seven geese over a barn', hash)).toEqual(right);
  expect((await verifyPassword('seven geese over a barm', hash)).isCorrect).toBe(false);
  expect((await verifyPassword('', hash)).isCorrect).toBe(false);
});

test('it is argon2id of 19 MiB, 2 passes and 1 lane, its parameters beside it', async () => {
  const hash = await hashPassword('seven geese over a barn', random);
  const [, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$(.{22})\$(.{43})$/.exec(hash) ?? [];
  const expected = argon2Sync('argon2id', {
    message: 'seven geese over a barn',
    nonce: Buffer.from(salt, 'base64'),
    parallelism: 1,
    tagLength: 32,
    memory: 19456,
    passes: 2,
  });
  expect(Buffer.from(tag, 'base64')).toEqual(expected);
});

test('the same password has another hash each time', async () => {
  expect(await hashPassword('x', random)).not.toBe(await hashPassword('x', random));
});

test('a hash of weaker parameters still opens, and says that it is outdated', async () => {
  const nonce = Buffer.from(random.bytes(16));
  const weak = { parallelism: 1, tagLength: 32, memory: 8_192, passes: 1 };
  const tag = argon2Sync('argon2id', { message: 'old', nonce, ...weak });
  const [salt, text] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  const stored = `$argon2id$v=19$m=8192,t=1,p=1$${salt}$${text}`;
  expect(await verifyPassword('old', stored)).toEqual({ isCorrect: true, isOutdated: true });
});

test('without a hash nothing is right, whatever is typed', async () => {
  for (const password of ['', 'x', 'null']) {
    expect((await verifyPassword(password, null)).isCorrect).toBe(false);
  }
});

test('an accent typed in two ways is one password', async () => {
  const hash = await hashPassword('caf\u00e9 au lait s\u2019il', random);
  expect((await verifyPassword('cafe\u0301 au lait s\u2019il', hash)).isCorrect).toBe(true);
});
