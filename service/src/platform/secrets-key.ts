import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from './random.ts';

const FILE = 'secrets-key';
const KEY_BYTES = 32;

/** The keys cannot be used; the message says how to mend it. */
export class SecretsKeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretsKeyError';
  }
}

/**
 * The keys that seal secrets: those of the setting, the sealing one first, or else the one in a file
 * of the folder, which is made at the first time, readable by its owner alone.
 */
export async function loadSecretsKeys(options: {
  setting: string | null;
  folder: string;
  random: Random;
  /** False for who only looks: where there is no file yet, the key is kept nowhere. */
  makesFile?: boolean;
}): Promise<Uint8Array[]> {
  const { setting, folder, random, makesFile = true } = options;
  if (setting !== null) return setting.split(',').map((text) => readKey(text, 'SECRETS_KEY'));
  const path = join(folder, FILE);
  const fresh = Buffer.from(random.bytes(KEY_BYTES)).toString('base64url');
  if (!makesFile) {
    const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return fresh;
    });
    return [readKey(kept, path)];
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    // Fails when the file is there, so that of two processes one makes it.
    await writeFile(path, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return [readKey(fresh, path)];
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    return [readKey(await readFile(path, 'utf8'), path)];
  }
}

function readKey(text: string, where: string): Uint8Array {
  const trimmed = text.trim();
  const isHex = /^[0-9a-f]{64}$/i.test(trimmed);
  const key = isHex ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64url');
  if (key.length !== KEY_BYTES || (!isHex && !/^[\w+/-]+=?$/.test(trimmed))) {
    throw new SecretsKeyError(
      `${where} holds no key: 32 bytes in base64 or hexadecimal, as \`openssl rand -base64 32\` ` +
        'writes them',
    );
  }
  return key;
}
