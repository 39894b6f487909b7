import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolderDurably, writeFileOnce } from './durable-files.ts';
import type { Random } from './random.ts';

const FILE = 'secrets-key';
const KEY_BYTES = 32;

/** Thrown when the keys cannot be used. The message suggests a fix. */
export class SecretsKeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretsKeyError';
  }
}

/**
 * Loads the encryption keys from the setting, with the encrypting key first. Without the setting,
 * loads the key from a file in the folder. The file is created on first use and readable only by
 * its owner.
 */
export async function loadSecretsKeys(options: {
  setting: string | null;
  folder: string;
  random: Random;
  /** False for read-only callers: if there is no key file, a key is generated but not saved. */
  createsFile?: boolean;
}): Promise<Uint8Array[]> {
  const { setting, folder, random, createsFile = true } = options;
  if (setting !== null) return readSetting(setting);
  const path = join(folder, FILE);
  const existing = await readIfPresent(path);
  if (existing !== null) return [readKey(existing, path)];
  const newKey = Buffer.from(random.bytes(KEY_BYTES)).toString('base64url');
  if (!createsFile) return [readKey(newKey, path)];
  await makeFolderDurably(folder, 0o700);
  const suffix = Buffer.from(random.bytes(6)).toString('hex');
  await writeFileOnce(path, `${path}-${suffix}.new`, `${newKey}\n`);
  return [readKey(await readFile(path, 'utf8'), path)];
}

async function readIfPresent(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
}

/**
 * Checks only the format of the setting. Whether the keys decrypt the store's secrets is known only
 * after reading the store.
 */
export function isSecretsKeySetting(setting: string): boolean {
  try {
    return readSetting(setting).length > 0;
  } catch {
    return false;
  }
}

function readSetting(setting: string): Uint8Array[] {
  return setting.split(',').map((text) => readKey(text, 'SECRETS_KEY'));
}

function readKey(text: string, source: string): Uint8Array {
  const trimmed = text.trim();
  const isHex = /^[0-9a-f]{64}$/i.test(trimmed);
  const key = isHex ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64url');
  if (key.length !== KEY_BYTES || (!isHex && !/^[\w+/-]+=?$/.test(trimmed))) {
    throw new SecretsKeyError(
      `${source} must be 32 bytes in base64 or hexadecimal, for example the output of ` +
        '`openssl rand -base64 32`',
    );
  }
  return key;
}
