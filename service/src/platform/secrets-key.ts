import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
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
  if (setting !== null) return readSetting(setting);
  const path = join(folder, FILE);
  const kept = await readIfThere(path);
  if (kept !== null) return [readKey(kept, path)];
  const fresh = Buffer.from(random.bytes(KEY_BYTES)).toString('base64url');
  if (!makesFile) return [readKey(fresh, path)];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const suffix = Buffer.from(random.bytes(6)).toString('hex');
  await place(path, `${path}-${suffix}.new`, `${fresh}\n`);
  return [readKey(await readFile(path, 'utf8'), path)];
}

/**
 * Puts a file in its place whole and on the disk, unless one is there: of two processes one makes it,
 * the other never reads half of it, and a full disk leaves none that holds no key.
 */
async function place(path: string, draft: string, text: string): Promise<void> {
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
}

/** Whether the setting could be used: that it opens what is sealed only the store can tell. */
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
