import type { Queryable } from './db.ts';

/** A fact about the whole store, such as sandbox or live; null when none is set. */
export async function readMarker(db: Queryable, name: string): Promise<string | null> {
  // The value of one marker; by the primary key.
  const [row] = await db.query<{ value: string }>(
    'select value from store_marker where name = $1',
    [name],
  );
  return row?.value ?? null;
}

/**
 * Sets a marker unless it is set, and returns the value that stands: another than `value` means
 * that the store belongs to another use. Safe when several processes claim at once.
 */
export async function claimMarker(db: Queryable, name: string, value: string): Promise<string> {
  // No row when the marker stands already; the conflict is on the primary key.
  await db.query(
    'insert into store_marker (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, value],
  );
  return (await readMarker(db, name)) ?? value;
}

/** Sets a marker whatever it was before. */
export async function setMarker(db: Queryable, name: string, value: string): Promise<void> {
  // Adds the marker or replaces its value; by the primary key.
  await db.query(
    `insert into store_marker (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [name, value],
  );
}

/** When the newest backup of the store was made: an ISO instant. */
export const LAST_BACKUP_MARKER = 'last-backup-at';
