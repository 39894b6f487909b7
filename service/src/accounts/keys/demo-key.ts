import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '../../storage/db.ts';
import { SERVICE } from '../audit-log.ts';
import { findCustomerByName } from '../customers/customer-store.ts';
import { createCustomer } from '../customers/customers.ts';
import type { AccountsDeps } from '../deps.ts';
import { createKey } from './create-key.ts';
import { hashKey, isWellFormedKey } from './key-format.ts';
import { listKeys } from './key-store.ts';

const FILE = 'demo-key';
const CUSTOMER = 'Demo';
const SHOWN_MAX = 1_000;

/**
 * Returns the key that a sandbox prints at every start, for a demo customer on the Pro plan. The
 * key is stored in a file with mode 0600 next to the store. A missing or revoked key is replaced.
 */
export async function demoKey(deps: AccountsDeps & { folder: string }): Promise<string> {
  const path = join(deps.folder, FILE);
  const storedKey = await storedDemoKey(deps.folder);
  const customerId = await demoCustomer(deps);
  if (storedKey !== null && (await isValidKey(deps.db, customerId, storedKey))) return storedKey;
  const creation = await createKey(deps, { customerId, kind: 'test', name: 'Demo' }, SERVICE);
  if (creation.kind !== 'created') throw new Error(`the demo key could not be created`);
  // The folder does not exist yet if the store is in an external database.
  await mkdir(deps.folder, { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, `${creation.key}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return creation.key;
}

/** Returns the key in the file, which may have been revoked, or null if there is none. */
export async function storedDemoKey(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => '');
  const key = text.trim();
  return isWellFormedKey(key) ? key : null;
}

async function demoCustomer(deps: AccountsDeps): Promise<string> {
  const existing = await findCustomerByName(deps.db, CUSTOMER);
  if (existing !== null) return existing.id;
  const creation = await createCustomer(deps, { name: CUSTOMER, plan: 'pro' }, SERVICE);
  if (creation.kind !== 'created') throw new Error(`customer ${CUSTOMER} could not be created`);
  return creation.customer.id;
}

async function isValidKey(db: Queryable, customerId: string, key: string): Promise<boolean> {
  const hash = hashKey(key);
  const keys = await listKeys(db, { customerId, limit: SHOWN_MAX });
  return keys.some((stored) => stored.hash === hash && stored.revokedAt === null);
}
