import type { Row, Transaction } from '../db.ts';
import { quoteName } from './tables.ts';

interface Definition extends Row {
  table: string;
  name: string;
  definition: string;
}

/**
 * Drops the keys, constraints and indexes of all tables and disables their triggers.
 * `restoreConstraints` recreates them and fails if any row violates them. Loading rows into bare
 * tables takes a third of the time, and building the indexes afterwards takes less time than that
 * saves.
 */
export async function dropConstraints(
  tx: Transaction,
): Promise<{ restoreConstraints(): Promise<void> }> {
  const foreignKeys = await tx.query<Definition>(constraintsOf('f'));
  const uniqueConstraints = await tx.query<Definition>(constraintsOf('p', 'u'));
  const indexes = await tx.query<Definition>(INDEXES);
  const tablesWithTriggers = await tx.query<{ table: string }>(TABLES_WITH_TRIGGERS);
  for (const { table, name } of [...foreignKeys, ...uniqueConstraints]) {
    await tx.query(`alter table ${quoteName(table)} drop constraint ${quoteName(name)}`);
  }
  for (const { name } of indexes) await tx.query(`drop index ${quoteName(name)}`);
  for (const { table } of tablesWithTriggers) {
    await tx.query(`alter table ${quoteName(table)} disable trigger user`);
  }

  async function restoreConstraints(): Promise<void> {
    await addAll(uniqueConstraints);
    for (const { definition } of indexes) await tx.query(definition);
    // Foreign keys are added last because each needs the key that it references.
    await addAll(foreignKeys);
    for (const { table } of tablesWithTriggers) {
      await tx.query(`alter table ${quoteName(table)} enable trigger user`);
    }
  }
  async function addAll(constraints: readonly Definition[]): Promise<void> {
    for (const { table, name, definition } of constraints) {
      await tx.query(
        `alter table ${quoteName(table)} add constraint ${quoteName(name)} ${definition}`,
      );
    }
  }
  return { restoreConstraints };
}

/**
 * Returns a query for all constraints of the given types with their definitions. Scans the catalog.
 */
function constraintsOf(...types: readonly string[]): string {
  return `
  select c.relname::text as table, k.conname::text as name,
         pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
   where k.connamespace = current_schema()::regnamespace and c.relkind = 'r'
     and k.contype in (${types.map((type) => `'${type}'`).join(', ')})
     and c.relname <> 'schema_migration'
   order by c.relname, k.conname`;
}

// Lists each index that isn't owned by a constraint. Scans the catalog.
const INDEXES = `
  select c.relname::text as table, x.relname::text as name,
         pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_class x on x.oid = i.indexrelid
   where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
     and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
   order by c.relname, x.relname`;

// Lists each table with user triggers. Scans the catalog.
const TABLES_WITH_TRIGGERS = `
  select distinct c.relname::text as table
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal
   order by 1`;
