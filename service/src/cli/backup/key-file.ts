import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolderDurably, writeFileOnce } from '../../platform/durable-files.ts';
import type { Settings } from '../../config/settings.ts';
import { storeFolder, type StoreKind } from '../../app/store-kind.ts';
import { CliError } from '../command.ts';

/**
 * Returns the path of the file that contains the key for stored secrets. The file is not used if
 * SECRETS_KEY is set.
 */
export function keyFileOf(settings: Pick<Settings, 'dataDir'>, kind: StoreKind): string {
  return join(storeFolder(settings.dataDir, kind), 'secrets-key');
}

/** Reads the key file for a backup. Throws `CliError` if the file does not exist. */
export async function readKeyFile(settings: Settings, kind: StoreKind): Promise<Uint8Array> {
  if (settings.secretsKey !== null) {
    throw new CliError(
      'the key is the setting SECRETS_KEY, not a file: remove --with-secrets-key, and store the ' +
        'setting in a safe place',
    );
  }
  const file = keyFileOf(settings, kind);
  const key = await readIfExists(file);
  if (key !== null) return key;
  throw new CliError(`key file not found: ${file}; remove --with-secrets-key`);
}

/** Throws `CliError` if the file contains a different key. Call it before restoring anything. */
export async function requireSameKey(file: string, key: Uint8Array): Promise<void> {
  const existing = await readIfExists(file);
  if (existing === null || Buffer.compare(existing, key) === 0) return;
  throw new CliError(
    `${file} contains a different key than the backup: move it, or restore with another --data-dir`,
  );
}

export async function writeKeyFile(file: string, key: Uint8Array): Promise<void> {
  await makeFolderDurably(dirname(file), 0o700);
  if ((await readIfExists(file)) === null) await writeFileOnce(file, `${file}.new`, key);
}

export async function readIfExists(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
