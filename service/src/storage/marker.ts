import type { Queryable } from './db.ts';

/** Reads a property of the whole store, such as sandbox or live. Returns null if it isn't set. */
export async function readMarker(db: Queryable, name: string): Promise<string | null> {
  const [row] = await db.query<{ value: string }>(
    'select value from store_marker where name = $1',
    [name],
  );
  return row?.value ?? null;
}

/**
 * Sets a marker unless it is already set, and returns its current value. A value that differs from
 * `value` means that the store is used for something else. Safe for concurrent callers.
 */
export async function claimMarker(db: Queryable, name: string, value: string): Promise<string> {
  await db.query(
    'insert into store_marker (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, value],
  );
  return (await readMarker(db, name)) ?? value;
}

/** Sets a marker, replacing any value. */
export async function setMarker(db: Queryable, name: string, value: string): Promise<void> {
  await db.query(
    `insert into store_marker (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [name, value],
  );
}

export async function clearMarker(db: Queryable, name: string): Promise<void> {
  await db.query('delete from store_marker where name = $1', [name]);
}

/** Marker of a restored store that has not started its new epoch yet. */
export const PENDING_EPOCH_MARKER = 'pending-epoch';

/** Marker for the time of the store's newest backup, in ISO format. */
export const LAST_BACKUP_MARKER = 'last-backup-at';
