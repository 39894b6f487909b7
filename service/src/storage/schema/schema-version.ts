import type { Queryable } from '../db.ts';

/** The newest applied migration, such as `0007-bars`. */
export async function readSchemaVersion(db: Queryable): Promise<string> {
  const [row] = await db.query<{ number: number; name: string }>(
    'select number, name from schema_migration order by number desc limit 1',
  );
  return row === undefined ? 'none' : `${String(row.number).padStart(4, '0')}-${row.name}`;
}
