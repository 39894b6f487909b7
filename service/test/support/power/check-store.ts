import type { Db } from '../../../src/storage/db.ts';

/** Results that clients have received, so that the store must keep them. */
export interface Seen {
  /** The newest acknowledged change of each symbol. */
  changes: [symbol: string, count: number][];
  /** Number of metered responses with status 200. */
  served: number;
  /** Ids of received deliveries. */
  deliveryIds: string[];
}

/** Returns, as sentences, the results clients had seen that a store no longer has. */
export async function problemsOf(
  db: Db,
  seen: Seen,
  {
    monthCustomer,
    acknowledgedIds,
  }: { monthCustomer: string; acknowledgedIds: ReadonlySet<string> },
): Promise<string[]> {
  return [
    ...(await damagedTables(db)),
    ...(await lostChanges(db, seen)),
    ...(await brokenHistories(db)),
    ...(await lostCounts(db, seen, monthCustomer)),
    ...(await lostDeliveries(db, seen, acknowledgedIds)),
  ];
}

/** Reads every page, which verifies its checksum, and compares each table with its indexes. */
async function damagedTables(db: Db): Promise<string[]> {
  // Returns all tables, from the catalog.
  const tables = await db.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind in ('r', 't', 'm')`,
  );
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*) as rows from ${name}`,
  );
  return db.transaction(async (tx) => {
    const count = async (scans: string) => {
      await tx.query(`select set_config('enable_seqscan', $1, true)`, [scans]);
      return tx.query<{ name: string; rows: number }>(counts.join(' union all '));
    };
    const scanned = new Map((await count('on')).map(({ name, rows }) => [name, rows]));
    const indexed = await count('off');
    const different = indexed.filter(({ name, rows }) => scanned.get(name) !== rows);
    return different.map(({ name, rows }) => `${name}: ${scanned.get(name)} rows, ${rows} indexed`);
  });
}

async function lostChanges(db: Db, { changes }: Seen): Promise<string[]> {
  const rows = await db.query<{ symbol: string; count: string }>(
    'select symbol, revenue_estimate as count from earnings_event where revenue_estimate is not null',
  );
  const stored = new Set(rows.map(({ symbol, count }) => `${symbol} ${Number(count)}`));
  const lost = changes.filter(([symbol, count]) => !stored.has(`${symbol} ${count}`));
  return lost.map(([symbol, count]) => `change ${count} of ${symbol} is lost`);
}

/** Each version ends when the next begins, only the last is current, and each has a change record. */
async function brokenHistories(db: Db): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from (select id, known_to,
                            lead(known_from) over (partition by id order by known_from) as next
                       from earnings_event) as version
      where known_to is distinct from next`,
  );
  const [counts] = await db.query<{ versions: number; records: number }>(
    `select (select count(*) from earnings_event) as versions,
            (select count(*) from change_record where dataset = 'earnings') as records`,
  );
  const problems = rows.map(({ id }) => `the versions of ${id} have a gap`);
  if ((counts?.records ?? 0) < (counts?.versions ?? 0)) {
    problems.push(`${counts?.versions} versions have ${counts?.records} change records`);
  }
  return problems;
}

async function lostCounts(db: Db, { served }: Seen, customerId: string): Promise<string[]> {
  const [use] = await db.query<{ month: number; day: number }>(
    'select month_count as month, day_count as day from quota_use where customer_id = $1',
    [customerId],
  );
  const counted = use?.month ?? 0;
  return counted >= served ? [] : [`${counted} of ${served} served requests are counted`];
}

async function lostDeliveries(
  db: Db,
  { deliveryIds }: Seen,
  acknowledgedIds: ReadonlySet<string>,
): Promise<string[]> {
  const rows = await db.query<{ id: string; state: string }>('select id, state from delivery');
  const stored = new Set(rows.map(({ id }) => id));
  const lost = deliveryIds.filter((id) => !stored.has(id)).map((id) => `delivery ${id} is lost`);
  const unsent = rows.filter(({ id, state }) => state === 'delivered' && !acknowledgedIds.has(id));
  return [...lost, ...unsent.map(({ id }) => `${id} is delivered without a receipt`)];
}
