import { hashKey, generateKey, displayParts } from '../../src/accounts/keys/key-format.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { Db } from '../../src/storage/db.ts';

/** Enough customers that none of them reaches a plan limit during the bench. */
const CUSTOMERS = 4_000;

/** Returns the customers' keys. They are the same at every call. */
export function benchKeys(): string[] {
  const random = seededRandom(11);
  return Array.from({ length: CUSTOMERS }, () => generateKey('test', random));
}

/** Plans of the benches. A process leases blocks of `wide`, and `counted` is too small for blocks. */
const PLANS = [
  { name: 'wide', per_minute: 100_000_000 },
  { name: 'counted', per_minute: 250 },
];

/** Stores the customers with their keys, all on the given plan. */
export async function storeKeys(db: Db, plan: string): Promise<void> {
  await db.query(
    `insert into plan (name, per_minute)
     select x.name, x.per_minute
       from jsonb_to_recordset($1::jsonb) as x(name text, per_minute int4)`,
    [JSON.stringify(PLANS)],
  );
  const rows = benchKeys().map((key, index) => ({
    id: `key_${index}`,
    customer: `cus_${index}`,
    hash: hashKey(key),
    ...displayParts(key),
  }));
  const rowsJson = JSON.stringify(rows);
  // Inserts one customer per key, then the keys.
  await db.query(
    `insert into customer (id, name, plan, created_at)
     select x.customer, x.customer, $2, now() from jsonb_to_recordset($1::jsonb) as x(customer text)`,
    [rowsJson, plan],
  );
  await db.query(
    `insert into api_key (id, customer_id, hash, prefix, last4, created_at)
     select x.id, x.customer, decode(x.hash, 'hex'), x.prefix, x.last4, now()
       from jsonb_to_recordset($1::jsonb)
         as x(id text, customer text, hash text, prefix text, last4 text)`,
    [rowsJson],
  );
}
