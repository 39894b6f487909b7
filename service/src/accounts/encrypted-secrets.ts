import { createSecretCipher, type SecretCipher } from '../platform/encryption.ts';
import type { Random } from '../platform/random.ts';
import { loadSecretsKeys, SecretsKeyError } from '../platform/secrets-key.ts';
import type { Queryable, Transaction } from '../storage/db.ts';
import { claimMarker, readMarker } from '../storage/marker.ts';

const MARKER = 'secrets-key';

/**
 * Seals a secret that is about to be stored. The first one marks the store with the key, so that a
 * process with another key is told before it stores what others cannot read.
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

/** For the start of a service: throws `SecretsKeyError` when the store's secrets cannot be read. */
export async function checkSecretsKey(db: Queryable, cipher: SecretCipher): Promise<void> {
  const storedKeyId = await readMarker(db, MARKER);
  if (storedKeyId !== null) rejectOtherKey(cipher, storedKeyId);
}

function rejectOtherKey(cipher: SecretCipher, keyId: string): void {
  if (cipher.keyIds.includes(keyId)) return;
  throw new SecretsKeyError(
    `the store's secrets were sealed with another key (${keyId}): set SECRETS_KEY to that key, or ` +
      'put the file secrets-key of the data folder back. Machines that share a store share the key',
  );
}

/**
 * The box that seals this store's secrets, with the keys of the setting or of a file in the folder.
 * Throws `SecretsKeyError`, which says what to do, when the store's secrets cannot be read with them.
 */
export async function openSecretCipher(options: {
  db: Queryable;
  random: Random;
  setting: string | null;
  folder: string;
  /** As in `loadSecretsKeys`. */
  createsFile?: boolean;
}): Promise<SecretCipher> {
  const cipher = createSecretCipher(await loadSecretsKeys(options), options.random);
  await checkSecretsKey(options.db, cipher);
  return cipher;
}
