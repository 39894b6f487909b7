import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';
import { createSecretCipher, SecretCipherError } from './encryption.ts';

const random = seededRandom(3);
const [first, second] = [random.bytes(32), random.bytes(32)];
const cipher = createSecretCipher([first], random);

test('decrypts ciphertext that it encrypted', () => {
  for (const secret of ['', 'whsec_x', 'ü😀', 'x'.repeat(10_000)]) {
    expect(cipher.decrypt(cipher.encrypt(secret, 'a'), 'a')).toBe(secret);
  }
});

test('hides the secret and produces different ciphertext for each encryption', () => {
  const sealed = [cipher.encrypt('secret', 'a'), cipher.encrypt('secret', 'a')];
  expect(sealed[0]).not.toBe(sealed[1]);
  expect(Buffer.from(sealed[0]?.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain(
    'secret',
  );
});

test('fails to decrypt altered ciphertext, or with a different context or key', () => {
  const sealed = cipher.encrypt('secret', 'a');
  const dot = sealed.indexOf('.');
  for (let at = dot + 1; at < sealed.length; at++) {
    const letter = sealed[at] === 'A' ? 'Q' : 'A';
    const altered = `${sealed.slice(0, at)}${letter}${sealed.slice(at + 1)}`;
    expect(() => cipher.decrypt(altered, 'a')).toThrow(SecretCipherError);
  }
  expect(() => cipher.decrypt(sealed.slice(0, dot + 8), 'a')).toThrow('truncated');
  expect(() => cipher.decrypt('', 'a')).toThrow(SecretCipherError);
  expect(() => cipher.decrypt(sealed, 'b')).toThrow('belongs to another owner');
  expect(() => createSecretCipher([second], random).decrypt(sealed, 'a')).toThrow('another key');
});

test('encrypts with the new key after a key rotation and decrypts with both keys', () => {
  const changed = createSecretCipher([second, first], random);
  expect(changed.decrypt(cipher.encrypt('old', 'a'), 'a')).toBe('old');
  expect(createSecretCipher([second], random).decrypt(changed.encrypt('new', 'a'), 'a')).toBe(
    'new',
  );
  expect(changed.keyIds).toEqual([changed.keyId, cipher.keyId]);
});

test('rejects an encryption key with the wrong length', () => {
  expect(() => createSecretCipher([], random)).toThrow('32 bytes');
  expect(() => createSecretCipher([first, random.bytes(16)], random)).toThrow('32 bytes');
});
