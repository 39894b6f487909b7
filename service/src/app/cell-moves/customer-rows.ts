import { quoteName } from '../../storage/backup/tables.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';

/** States of deliveries that a cell may still send. All others are history. */
const OPEN_STATES = `('pending', 'in_progress', 'retrying', 'held')`;

const KEYS = 'select id from api_key where customer_id = $1';
const PEOPLE = 'select person_id from membership where customer_id = $1';
/** People who belong to no other customer on this cell. */
const SOLE_PEOPLE = `${PEOPLE} except
  select person_id from membership where customer_id is distinct from $1`;
const ENDPOINTS = 'select id from webhook_endpoint where customer_id = $1';
const DELIVERIES = 'select id from delivery where customer_id = $1';
const OPEN = `${DELIVERIES} and state in ${OPEN_STATES}`;

/** A table of customers: how its rows are found, and what of them is handed over at once. */
export interface MovedTable {
  name: string;
  /** Condition for the rows of customer $1. */
  where: string;
  /** Condition for the rows that the new cell needs to take over. Default: `where`. */
  first?: string;
  /** Condition for the rows that the old cell gives up. Default: `first`. */
  given?: string;
  /**
   * Column with the ID of a person. A person who is on the new cell already, as a member of another
   * customer, keeps the rows that are there.
   */
  personColumn?: string;
  /** Columns that each store assigns by itself. */
  ownColumns?: readonly string[];
  /**
   * The rows stay on the old cell: it recognizes the customer by them, or they are history, which its
   * retention deletes.
   */
  stays?: true;
}

/** All tables of customers, parents first. A test compares them with `TABLE_KINDS`. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'customer', where: 'id = $1', stays: true },
  { name: 'api_key', where: 'customer_id = $1', stays: true },
  { name: 'api_key_use', where: `key_id in (${KEYS})`, stays: true },
  // Only people of no other customer still have a membership then.
  { name: 'person', where: `id in (${PEOPLE})`, personColumn: 'id' },
  {
    name: 'membership',
    where: 'customer_id = $1',
    given: `customer_id = $1 and person_id not in (${SOLE_PEOPLE})`,
  },
  {
    name: 'session',
    where: `customer_id = $1 and person_id in (${PEOPLE})`,
    personColumn: 'person_id',
  },
  ofPeople('recovery_code'),
  ofPeople('known_address'),
  { name: 'one_time_link', where: 'customer_id = $1' },
  { name: 'idempotent_call', where: `caller in (${KEYS} union all (${SOLE_PEOPLE}))` },
  { name: 'watchlist', where: 'customer_id = $1' },
  {
    name: 'watchlist_member',
    where: 'watchlist_id in (select id from watchlist where customer_id = $1)',
  },
  // Deleted endpoints stay on the old cell: a fan-out that is running there must find them deleted.
  { name: 'webhook_endpoint', where: 'customer_id = $1', stays: true },
  { name: 'webhook_secret', where: `endpoint_id in (${ENDPOINTS})` },
  { name: 'webhook_subscription', where: `endpoint_id in (${ENDPOINTS})` },
  {
    name: 'delivery',
    where: 'customer_id = $1',
    first: `customer_id = $1 and state in ${OPEN_STATES}`,
    stays: true,
  },
  {
    name: 'delivery_attempt',
    where: `delivery_id in (${DELIVERIES})`,
    first: `delivery_id in (${OPEN})`,
    stays: true,
  },
  { name: 'attempt_hour', where: `endpoint_id in (${ENDPOINTS})`, stays: true },
  { name: 'webhook_alert', where: 'customer_id = $1', ownColumns: ['id'] },
  // The new store chains the events again.
  {
    name: 'audit_event',
    where: 'customer_id = $1',
    ownColumns: ['id', 'chain_no', 'previous_hash', 'hash'],
  },
  { name: 'usage_hour', where: 'customer_id = $1' },
  {
    name: 'request_log',
    where: 'customer_id = $1',
    first: 'false',
    ownColumns: ['id'],
    stays: true,
  },
  { name: 'quota_minute', where: 'customer_id = $1' },
  { name: 'quota_use', where: 'customer_id = $1' },
  { name: 'quota_block', where: 'customer_id = $1' },
];

function ofPeople(name: string): MovedTable {
  const of = (people: string) => `person_id in (${people})`;
  return { name, where: of(PEOPLE), given: of(SOLE_PEOPLE), personColumn: 'person_id' };
}

/** Rows of one table as JSON text, which keeps every value exactly. */
export interface CopiedRows {
  table: MovedTable;
  columns: readonly string[];
  json: string;
}

/** Reads the rows that are handed over at once. The caller holds the locks that keep them. */
export async function readFirstRows(tx: Transaction, customerId: string): Promise<CopiedRows[]> {
  const copied: CopiedRows[] = [];
  for (const table of MOVED_TABLES) {
    copied.push(await readRows(tx, table, { where: table.first ?? table.where, customerId }));
  }
  return copied;
}

/** Reads up to `limit` rows of a table. */
export async function readRows(
  db: Queryable,
  table: MovedTable,
  options: { where: string; customerId: string; limit?: number },
): Promise<CopiedRows> {
  const { where, customerId, limit = null } = options;
  const columns = await columnsOf(db, table);
  // Returns one row. `$1` may be unused.
  const [row] = await db.query<{ json: string }>(
    `select coalesce(json_agg(row_to_json(r)), '[]')::text as json
       from (select * from ${quoteName(table.name)}
              where ($1::text is not null) and (${where}) order by 1 limit $2::int8) r`,
    [customerId, limit],
  );
  return { table, columns, json: row?.json ?? '[]' };
}

/**
 * Inserts copied rows. Rows that are there already stay as they are, and so do people with `staying`
 * IDs.
 */
export async function insertRows(
  tx: Transaction,
  { table, columns, json }: CopiedRows,
  staying: readonly string[] = [],
): Promise<void> {
  if (json === '[]') return;
  const names = columns.map(quoteName).join(', ');
  await tx.query(
    `insert into ${quoteName(table.name)} (${names})
     select ${names} from json_populate_recordset(null::${quoteName(table.name)}, $1::json)
      where coalesce(${table.personColumn ?? 'null'} <> all ($2::text[]), true)
     on conflict do nothing`,
    [json, staying],
  );
}

/** Returns the IDs of copied people who are in this store already. */
export async function findStayingPeople(
  tx: Transaction,
  copied: readonly CopiedRows[],
): Promise<string[]> {
  const people = copied.find(({ table }) => table.name === 'person');
  const rows = await tx.query<{ id: string }>(
    `select id from person
      where id in (select id from json_populate_recordset(null::person, $1::json))`,
    [people?.json ?? '[]'],
  );
  return rows.map(({ id }) => id);
}

/** Deletes all rows of a customer, children first. */
export async function deleteAllRows(tx: Transaction, customerId: string): Promise<void> {
  for (const { name, where, given = where } of MOVED_TABLES.toReversed()) {
    await tx.query(`delete from ${quoteName(name)} where ${given}`, [customerId]);
  }
}

/** Deletes what was handed over, except for what stays. */
export async function deleteFirstRows(tx: Transaction, customerId: string): Promise<void> {
  for (const table of MOVED_TABLES.toReversed()) {
    const { name, where, first = where, given = first, stays } = table;
    if (stays === true) continue;
    await tx.query(`delete from ${quoteName(name)} where ${given}`, [customerId]);
  }
}

async function columnsOf(db: Queryable, { name, ownColumns = [] }: MovedTable): Promise<string[]> {
  // Returns one row per column, from the catalog.
  const rows = await db.query<{ column: string }>(
    `select attname::text as column from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [name],
  );
  return rows.map(({ column }) => column).filter((column) => !ownColumns.includes(column));
}
