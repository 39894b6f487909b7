import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryStore } from '../../test/support/stores.ts';
import { seededRandom } from '../platform/random.ts';
import { SecretsKeyError } from '../platform/secrets-key.ts';
import { encryptSecret, openSecretCipher } from './encrypted-secrets.ts';

test('leaves no new key file behind when the key of the store is missing', async () => {
  const db = await memoryStore();
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-key-'));
  try {
    const options = { db, random: seededRandom(1), folder };
    const setting = Buffer.alloc(32, 7).toString('base64url');
    const cipher = await openSecretCipher({ ...options, setting });
    await db.transaction((tx) => encryptSecret(tx, cipher, 'whsec_x', 'ep'));
    await expect(openSecretCipher({ ...options, setting: null })).rejects.toThrow(SecretsKeyError);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await db.close();
    await rm(folder, { recursive: true });
  }
});
