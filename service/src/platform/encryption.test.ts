import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';
import { createSecretBox, SecretBoxError } from './encryption.ts';

const random = seededRandom(3);
const [first, second] = [random.bytes(32), random.bytes(32)];
const box = createSecretBox([first], random);

test('what was sealed opens to the same text', () => {
  for (const secret of ['', 'whsec_x', 'ü😀', 'x'.repeat(10_000)]) {
    expect(box.open(box.seal(secret, 'a'), 'a')).toBe(secret);
  }
});

test('the sealed text shows nothing of the secret, and differs each time', () => {
  const sealed = [box.seal('secret', 'a'), box.seal('secret', 'a')];
  expect(sealed[0]).not.toBe(sealed[1]);
  expect(Buffer.from(sealed[0]?.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain(
    'secret',
  );
});

test('any altered character, another place and another key are refused', () => {
  const sealed = box.seal('secret', 'a');
  const dot = sealed.indexOf('.');
  for (let at = dot + 1; at < sealed.length; at++) {
    const letter = sealed[at] === 'A' ? 'Q' : 'A';
    const altered = `${sealed.slice(0, at)}${letter}${sealed.slice(at + 1)}`;
    expect(() => box.open(altered, 'a')).toThrow(SecretBoxError);
  }
  expect(() => box.open(sealed.slice(0, dot + 8), 'a')).toThrow('cut');
  expect(() => box.open('', 'a')).toThrow(SecretBoxError);
  expect(() => box.open(sealed, 'b')).toThrow('not where it belongs');
  expect(() => createSecretBox([second], random).open(sealed, 'a')).toThrow('another key');
});

test('after a change of keys the new one seals and both open', () => {
  const changed = createSecretBox([second, first], random);
  expect(changed.open(box.seal('old', 'a'), 'a')).toBe('old');
  expect(createSecretBox([second], random).open(changed.seal('new', 'a'), 'a')).toBe('new');
  expect(changed.keyIds).toEqual([changed.keyId, box.keyId]);
});

test('a key of another length is refused', () => {
  expect(() => createSecretBox([], random)).toThrow('32 bytes');
  expect(() => createSecretBox([first, random.bytes(16)], random)).toThrow('32 bytes');
});
