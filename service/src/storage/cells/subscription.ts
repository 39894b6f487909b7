import type { Queryable, Transaction } from '../db.ts';
import { quoteName } from '../backup/tables.ts';
import { PUBLICATION } from './publication.ts';
import { FACT_TABLES, LOCAL_COLUMNS } from './table-kinds.ts';

/** Names the subscription of a cell, and its slot on the gathering store. */
export function subscriptionOf(cell: string): string {
  return `afterbell_cell_${cell}`;
}

/**
 * Subscribes the cell to the facts, which starts the initial copy. An existing subscription gets the
 * address, is enabled, and starts to copy tables that were published since.
 */
export async function ensureSubscription(
  db: Queryable,
  { name, gatheringUrl }: { name: string; gatheringUrl: string },
): Promise<void> {
  const connection = `'${gatheringUrl.replaceAll("'", "''")}'`;
  const existing = await db.query(
    `select 1 from pg_subscription s join pg_database d on d.oid = s.subdbid
      where d.datname = current_database() and s.subname = $1`,
    [name],
  );
  if (existing.length === 0) {
    await db.query(
      `create subscription ${name} connection ${connection} publication ${PUBLICATION}
         with (create_slot = false, slot_name = '${name}', copy_data = true)`,
    );
    return;
  }
  await db.query(`alter subscription ${name} connection ${connection}`);
  await db.query(`alter subscription ${name} enable`);
  await db.query(`alter subscription ${name} refresh publication`);
}

const TRIGGER = 'fact_on_cell_rejected';

/** Makes the tables of facts read-only for everything but replication. */
export async function protectFacts(tx: Transaction): Promise<void> {
  for (const table of FACT_TABLES) {
    const local = LOCAL_COLUMNS[table] ?? [];
    const columns = await tx.query<{ name: string }>(
      `select attname::text as name from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [table],
    );
    const replicated = columns.flatMap(({ name }) =>
      local.includes(name) ? [] : [quoteName(name)],
    );
    await tx.query(
      `create or replace trigger ${TRIGGER}
         before insert or delete or update of ${replicated.join(', ')} on ${quoteName(table)}
         for each statement execute function reject_fact_on_cell()`,
    );
  }
}
