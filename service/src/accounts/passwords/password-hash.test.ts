import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Priority, QueueFullError } from '../../platform/bounded-queue.ts';
import { seededRandom } from '../../platform/random.ts';
import { HASHES_AT_ONCE, hashPassword, verifyPassword } from './password-hash.ts';

const random = seededRandom(5);

test('accepts only the password from which the hash was created', async () => {
  const hash = await hashPassword('seven geese over a barn', random);
  const correct = { index: 0, isOutdated: false };
  expect(await verifyPassword('seven geese over a barn', [hash])).toEqual(correct);
  expect((await verifyPassword('seven geese over a barm', [hash])).index).toBeNull();
  expect((await verifyPassword('', [hash])).index).toBeNull();
});

test('uses argon2id with 19 MiB, 2 passes and 1 lane, and stores these parameters with the hash', async () => {
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

test('uses a new salt for every password hash', async () => {
  expect(await hashPassword('x', random)).not.toBe(await hashPassword('x', random));
});

test('accepts a password hash with weaker parameters and reports it as outdated', async () => {
  const nonce = Buffer.from(random.bytes(16));
  const weak = { parallelism: 1, tagLength: 32, memory: 8_192, passes: 1 };
  const tag = argon2Sync('argon2id', { message: 'old', nonce, ...weak });
  const [salt, text] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  const stored = `$argon2id$v=19$m=8192,t=1,p=1$${salt}$${text}`;
  expect(await verifyPassword('old', [stored])).toEqual({ index: 0, isOutdated: true });
});

test('rejects every password if there is no hash', async () => {
  for (const password of ['', 'x', 'null']) {
    expect((await verifyPassword(password, [null])).index).toBeNull();
  }
});

test('compares many hashes at the cost of one per salt', async () => {
  const first = await hashPassword('seven geese over a barn', random);
  const second = await hashPassword('nine herons in the fog', random, [first]);
  const other = await hashPassword('ten larks above a mill', random);
  const found = async (password: string) =>
    (await verifyPassword(password, [null, first, other, second])).index;
  expect(await found('nine herons in the fog')).toBe(3);
  expect(await found('ten larks above a mill')).toBe(2);
  expect(await found('ten larks above a mile')).toBeNull();
  expect(second.split('$')[4]).toBe(first.split('$')[4]);
  expect(await hashPassword('seven geese over a barn', random, [first])).toBe(first);
});

test('treats composed and decomposed accents as the same password', async () => {
  const hash = await hashPassword('caf\u00e9 au lait s\u2019il', random);
  expect((await verifyPassword('cafe\u0301 au lait s\u2019il', [hash])).index).toBe(0);
});

test('rejects most of a flood of passwords at once, but none of high priority', async () => {
  const stored = await hashPassword('violet tractor nine moss', random);
  const verify = (password: string, priority: Priority): Promise<boolean | Error> =>
    verifyPassword(password, [stored], priority).then(
      ({ index }) => index === 0,
      (error: Error) => error,
    );
  const flood = Array.from({ length: 40 }, (_, i) => verify(`guess number ${i}`, 'normal'));
  const owner = await verify('violet tractor nine moss', 'high');
  expect(owner).toBe(true);
  const outcomes = await Promise.all(flood);
  const rejected = outcomes.filter((outcome) => outcome instanceof QueueFullError);
  // The owner displaces one of those that wait.
  const accepted = HASHES_AT_ONCE + 20 - 1;
  expect(rejected.length).toBe(40 - accepted);
  expect(outcomes.filter((outcome) => outcome === false).length).toBe(accepted);
});
