import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/random.ts';
import type { Db } from '../../storage/db.ts';
import { createKey } from './create-key.ts';
import { hashKey, isWellFormedKey } from './key-format.ts';
import { loadKeys } from './key-store.ts';

const FILE = 'demo-key';
const CUSTOMER = 'Demo';

/**
 * The key that a sandbox shows at every start, of a demo customer on Pro. It is kept in a file of
 * mode 0600 beside the store; when that is gone or its key was revoked, a new one is made.
 */
export async function demoKey(deps: {
  db: Db;
  clock: Clock;
  random: Random;
  folder: string;
}): Promise<string> {
  const path = join(deps.folder, FILE);
  const kept = await readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  if (isWellFormedKey(kept) && (await isInForce(deps.db, kept))) return kept;
  const options = { plan: 'pro', kind: 'test', customerName: CUSTOMER } as const;
  const created = await createKey(deps, options);
  if (created.kind !== 'created') throw new Error(`customer ${CUSTOMER} is on ${created.plan}`);
  // With a database elsewhere nothing else has made the folder.
  await mkdir(deps.folder, { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, `${created.key}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return created.key;
}

async function isInForce(db: Db, key: string): Promise<boolean> {
  const hash = hashKey(key);
  const keys = await loadKeys(db);
  return keys.some((each) => each.hash === hash && each.revokedAt === null);
}
