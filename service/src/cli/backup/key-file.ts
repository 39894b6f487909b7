import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { storeFolder, type StoreKind } from '../../app/store-kind.ts';
import { CliError } from '../command.ts';

/** Where the key that opens stored secrets lies, unless SECRETS_KEY holds it. */
export function keyFileOf(settings: Pick<Settings, 'dataDir'>, kind: StoreKind): string {
  return join(storeFolder(settings.dataDir, kind), 'secrets-key');
}

/** The key file for a backup. Throws CliError where there is none. */
export async function readKeyFile(settings: Settings, kind: StoreKind): Promise<Uint8Array> {
  if (settings.secretsKey !== null) {
    throw new CliError(
      'the key is the setting SECRETS_KEY, not a file: leave out --with-secrets-key, and keep the ' +
        'setting where it is safe',
    );
  }
  const file = keyFileOf(settings, kind);
  const key = await readIfThere(file);
  if (key !== null) return key;
  throw new CliError(`there is no key file ${file}: leave out --with-secrets-key`);
}

/** Refuses, before anything is restored, to put a key where another lies. */
export async function refuseOtherKey(file: string, key: Uint8Array): Promise<void> {
  const there = await readIfThere(file);
  if (there === null || Buffer.compare(there, key) === 0) return;
  throw new CliError(
    `${file} holds another key than the backup: move it away, or restore with another --data-dir`,
  );
}

export async function writeKeyFile(file: string, key: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  if ((await readIfThere(file)) === null) await writeFile(file, key, { mode: 0o600, flag: 'wx' });
}

export async function readIfThere(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
