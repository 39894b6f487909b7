import type { Row, Transaction } from '../db.ts';
import { quoteName } from './tables.ts';

interface Part extends Row {
  table: string;
  name: string;
  definition: string;
}

/**
 * Takes foreign keys and indexes of all tables away and switches their triggers off; `putBack` makes
 * them as they were. Keys and unique constraints stay.
 */
export async function putAside(tx: Transaction): Promise<{ putBack(): Promise<void> }> {
  const keys = await tx.query<Part>(FOREIGN_KEYS);
  const indexes = await tx.query<Part>(INDEXES);
  const triggered = await tx.query<{ table: string }>(TRIGGERED);
  for (const { table, name } of keys) {
    await tx.query(`alter table ${quoteName(table)} drop constraint ${quoteName(name)}`);
  }
  for (const { name } of indexes) await tx.query(`drop index ${quoteName(name)}`);
  for (const { table } of triggered) {
    await tx.query(`alter table ${quoteName(table)} disable trigger user`);
  }

  async function putBack(): Promise<void> {
    for (const { definition } of indexes) await tx.query(definition);
    for (const { table, name, definition } of keys) {
      await tx.query(
        `alter table ${quoteName(table)} add constraint ${quoteName(name)} ${definition}`,
      );
    }
    for (const { table } of triggered) {
      await tx.query(`alter table ${quoteName(table)} enable trigger user`);
    }
  }
  return { putBack };
}

// Each foreign key as it would be declared; a scan of the catalog.
const FOREIGN_KEYS = `
  select c.relname::text as table, k.conname::text as name,
         pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
   where k.connamespace = current_schema()::regnamespace and k.contype = 'f'
   order by c.relname, k.conname`;

// Each index that no constraint made; a scan of the catalog.
const INDEXES = `
  select c.relname::text as table, x.relname::text as name,
         pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_class x on x.oid = i.indexrelid
   where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
     and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
   order by c.relname, x.relname`;

// Each table with triggers of ours; a scan of the catalog.
const TRIGGERED = `
  select distinct c.relname::text as table
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal
   order by 1`;
