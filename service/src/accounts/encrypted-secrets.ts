import { createSecretCipher, type SecretCipher } from '../platform/encryption.ts';
import type { Random } from '../platform/random.ts';
import { loadSecretsKeys, SecretsKeyError } from '../platform/secrets-key.ts';
import type { Queryable, Transaction } from '../storage/db.ts';
import { claimMarker, readMarker } from '../storage/marker.ts';

const MARKER = 'secrets-key';

/**
 * Encrypts a secret for storage. The first call records the key id in the store, so that a process
 * with a different key fails instead of storing secrets that other processes cannot decrypt.
 */
export async function encryptSecret(
  tx: Transaction,
  cipher: SecretCipher,
  secret: string,
  context: string,
): Promise<string> {
  rejectOtherKey(cipher, await claimMarker(tx, MARKER, cipher.keyId));
  return cipher.encrypt(secret, context);
}

/**
 * Checks at startup that the store's secrets can be decrypted. Throws `SecretsKeyError` if they
 * cannot.
 */
export async function checkSecretsKey(db: Queryable, cipher: SecretCipher): Promise<void> {
  const storedKeyId = await readMarker(db, MARKER);
  if (storedKeyId !== null) rejectOtherKey(cipher, storedKeyId);
}

function rejectOtherKey(cipher: SecretCipher, keyId: string): void {
  if (cipher.keyIds.includes(keyId)) return;
  throw new SecretsKeyError(
    `the store's secrets are encrypted with another key (${keyId}): set SECRETS_KEY to that key, or ` +
      'restore the file secrets-key in the data folder. All machines on one store need the same key',
  );
}

/**
 * Returns the cipher for this store's secrets. Its keys come from the setting or from a file in the
 * data folder. Throws `SecretsKeyError`, with a fix, if these keys cannot decrypt the store's
 * secrets.
 */
export async function openSecretCipher(options: {
  db: Queryable;
  random: Random;
  setting: string | null;
  folder: string;
  /** False for read-only callers, which must not create the key file. */
  createsFile?: boolean;
}): Promise<SecretCipher> {
  const { db, createsFile = true } = options;
  // A new key cannot decrypt the secrets of the store, and a file with it would look like the old one.
  const hasKey = (await readMarker(db, MARKER)) !== null;
  const keys = await loadSecretsKeys({ ...options, createsFile: createsFile && !hasKey });
  const cipher = createSecretCipher(keys, options.random);
  await checkSecretsKey(options.db, cipher);
  return cipher;
}
