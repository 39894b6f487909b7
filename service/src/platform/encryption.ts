import { createCipheriv, createDecipheriv, createHash, createSecretKey } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * Keeps secrets that must be readable again, such as those that sign webhooks, so that neither the
 * store nor a backup of it tells them: AES-256-GCM with a nonce of its own for each.
 */
export interface SecretCipher {
  /** Of the key that seals: no secret itself. */
  readonly keyId: string;
  /** Every key that opens. */
  readonly keyIds: readonly string[];
  /**
   * Text that `open` reads with the same context and nothing else does. The context says whose
   * secret it is, so that one cannot be put in another's place.
   */
  encrypt(secret: string, context: string): string;
  /** Throws `SecretCipherError` when it was sealed with another key or context, or was altered. */
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

/** The first key seals; all of them open, so that keys can change. Each has 32 bytes. */
export function createSecretCipher(keys: readonly Uint8Array[], random: Random): SecretCipher {
  // As objects, since the cipher reads bytes anew each time, which costs more than the secret itself.
  const byId = new Map(keys.map((key) => [idOf(key), createSecretKey(key)]));
  const [first] = keys;
  if (first === undefined || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new SecretCipherError(`a key that seals secrets has ${KEY_BYTES} bytes`);
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
      throw new SecretCipherError(`a secret was sealed with another key (${id})`);
    const bytes = Buffer.from(body, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES)
      throw new SecretCipherError('a sealed secret is cut');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const secret = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch {
      throw new SecretCipherError('a sealed secret was altered, or is not where it belongs');
    }
  }

  return { keyId, keyIds: [...byId.keys()], encrypt, decrypt };
}

/** Eight hexadecimal digits of a hash that is used for nothing else. */
function idOf(key: Uint8Array): string {
  return createHash('sha256').update('id of a sealing key').update(key).digest('hex').slice(0, 8);
}
