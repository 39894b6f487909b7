import { createCipheriv, createDecipheriv, createHash, createSecretKey } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * Encrypts stored secrets that must be readable later, such as webhook signing secrets, so that the
 * store and its backups don't reveal them. Uses AES-256-GCM with a fresh nonce per secret.
 */
export interface SecretCipher {
  /** ID of the encryption key. Not a secret. */
  readonly keyId: string;
  /** IDs of all keys that can decrypt secrets. */
  readonly keyIds: readonly string[];
  /**
   * Returns ciphertext that `decrypt` can read only with the same context. The context identifies
   * the secret's owner, so one owner's ciphertext is useless for another owner.
   */
  encrypt(secret: string, context: string): string;
  /**
   * Returns the secret. Throws `SecretCipherError` for a different key, a different context or
   * altered ciphertext.
   */
  decrypt(ciphertext: string, context: string): string;
}

export class SecretCipherError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretCipherError';
  }
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a cipher that encrypts with the first key and decrypts with any of them, which allows key
 * rotation. Each key has 32 bytes.
 */
export function createSecretCipher(keys: readonly Uint8Array[], random: Random): SecretCipher {
  // Key objects are created once, because passing raw bytes costs more per call than encrypting a
  // secret.
  const byId = new Map(keys.map((key) => [idOf(key), createSecretKey(key)]));
  const [first] = keys;
  if (first === undefined || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new SecretCipherError(`an encryption key must have ${KEY_BYTES} bytes`);
  }
  const encryptionKey = createSecretKey(first);
  const keyId = idOf(first);

  function encrypt(secret: string, context: string): string {
    const nonce = random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(context));
    const ciphertext = Buffer.concat([
      nonce,
      cipher.update(secret, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${keyId}.${ciphertext.toString('base64url')}`;
  }

  function decrypt(text: string, context: string): string {
    const [id = '', body = ''] = text.split('.');
    const key = byId.get(id);
    if (key === undefined)
      throw new SecretCipherError(`a secret was encrypted with another key (${id})`);
    const bytes = Buffer.from(body, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES)
      throw new SecretCipherError('an encrypted secret is truncated');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const secret = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch {
      throw new SecretCipherError('an encrypted secret was altered or belongs to another owner');
    }
  }

  return { keyId, keyIds: [...byId.keys()], encrypt, decrypt };
}

/** Returns the key's ID: eight hexadecimal digits of a hash that is used for nothing else. */
function idOf(key: Uint8Array): string {
  return createHash('sha256').update('id of a sealing key').update(key).digest('hex').slice(0, 8);
}
