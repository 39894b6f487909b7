import type { Queryable, Row } from '../db.ts';
import { quoteName } from '../backup/tables.ts';
import { FACT_TABLES, LOCAL_COLUMNS } from './table-kinds.ts';

/** The publication of the gathering store, which all cells share. */
export const PUBLICATION = 'afterbell_facts';

/** Creates the publication of all facts, or adds the tables of newer releases to it. */
export async function ensurePublication(gathering: Queryable): Promise<void> {
  const tables: string[] = [];
  for (const table of FACT_TABLES) {
    const columns = await publishedColumns(gathering, table);
    tables.push(
      columns === null ? quoteName(table) : `${quoteName(table)} (${columns.join(', ')})`,
    );
  }
  const list = tables.join(', ');
  const exists = await hasPublication(gathering);
  await gathering.query(
    exists
      ? `alter publication ${PUBLICATION} set table ${list}`
      : `create publication ${PUBLICATION} for table ${list}`,
  );
}

/** Returns whether cells may follow this store. False on the embedded store. */
export async function hasPublication(db: Queryable): Promise<boolean> {
  const rows = await db.query('select 1 from pg_publication where pubname = $1', [PUBLICATION]);
  return rows.length > 0;
}

/** Creates the slot that keeps what the cell has not received yet, unless it exists. */
export async function ensureSlot(gathering: Queryable, slot: string): Promise<void> {
  // Creating it apart from the subscription also works if both databases are on one server.
  await gathering.query(
    `select pg_create_logical_replication_slot($1, 'pgoutput')
      where not exists (select 1 from pg_replication_slots where slot_name = $1)`,
    [slot],
  );
}

/** A cell as the gathering store sees it. */
export interface Slot {
  name: string;
  isActive: boolean;
  /** Bytes of write-ahead log that the gathering store keeps for the cell. */
  keptBytes: number;
}

export function loadSlots(gathering: Queryable): Promise<Slot[]> {
  // Returns one row per cell.
  return gathering.query<Slot & Row>(
    `select slot_name::text as name, active as "isActive",
            coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::float8 as "keptBytes"
       from pg_replication_slots
      where database = current_database() and slot_name like 'afterbell\\_cell\\_%'
      order by slot_name`,
  );
}

/** Returns the replicated columns of a table, or null if all of them are. */
async function publishedColumns(db: Queryable, table: string): Promise<string[] | null> {
  const local = LOCAL_COLUMNS[table];
  if (local === undefined) return null;
  const rows = await db.query<{ name: string }>(
    `select attname::text as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return rows.flatMap(({ name }) => (local.includes(name) ? [] : [quoteName(name)]));
}
