import type { Random } from '../platform/random.ts';
import { createSecretCipher, type SecretCipher } from '../platform/encryption.ts';
import { loadSecretsKeys } from '../platform/secrets-key.ts';
import type { Queryable } from '../storage/db.ts';
import { checkSecretsKey } from './encrypted-secrets.ts';

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
  makesFile?: boolean;
}): Promise<SecretCipher> {
  const cipher = createSecretCipher(await loadSecretsKeys(options), options.random);
  await checkSecretsKey(options.db, cipher);
  return cipher;
}
