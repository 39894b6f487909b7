import { createCipheriv, createDecipheriv, createHash, createSecretKey } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * Keeps secrets that must be readable again, such as those that sign webhooks, so that neither the
 * store nor a backup of it tells them: AES-256-GCM with a nonce of its own for each.
 */
export interface SecretBox {
  /** Of the key that seals: no secret itself. */
  readonly keyId: string;
  /** Every key that opens. */
  readonly keyIds: readonly string[];
  /**
   * Text that `open` reads with the same context and nothing else does. The context says whose
   * secret it is, so that one cannot be put in another's place.
   */
  seal(secret: string, context: string): string;
  /** Throws `SecretBoxError` when it was sealed with another key or context, or was altered. */
  open(sealed: string, context: string): string;
}

export class SecretBoxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretBoxError';
  }
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The first key seals; all of them open, so that keys can change. Each has 32 bytes. */
export function createSecretBox(keys: readonly Uint8Array[], random: Random): SecretBox {
  // As objects, since the cipher reads bytes anew each time, which costs more than the secret itself.
  const byId = new Map(keys.map((key) => [idOf(key), createSecretKey(key)]));
  const [first] = keys;
  if (first === undefined || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new SecretBoxError(`a key that seals secrets has ${KEY_BYTES} bytes`);
  }
  const sealing = createSecretKey(first);
  const keyId = idOf(first);

  function seal(secret: string, context: string): string {
    const nonce = random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([
      nonce,
      cipher.update(secret, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${keyId}.${sealed.toString('base64url')}`;
  }

  function open(text: string, context: string): string {
    const [id = '', body = ''] = text.split('.');
    const key = byId.get(id);
    if (key === undefined) throw new SecretBoxError(`a secret was sealed with another key (${id})`);
    const bytes = Buffer.from(body, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SecretBoxError('a sealed secret is cut');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const secret = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch {
      throw new SecretBoxError('a sealed secret was altered, or is not where it belongs');
    }
  }

  return { keyId, keyIds: [...byId.keys()], seal, open };
}

/** Eight hexadecimal digits of a hash that is used for nothing else. */
function idOf(key: Uint8Array): string {
  return createHash('sha256').update('id of a sealing key').update(key).digest('hex').slice(0, 8);
}
