import type { Queryable, Transaction } from '../../storage/db.ts';

export interface Cursor {
  position: number;
  /**
   * Progress from this position toward the next. Empty if no work has been done beyond this
   * position.
   */
  progress: string;
}

/**
 * Locks a cursor until the end of the transaction, creating it at `start` if it does not exist.
 * Returns null if another process holds the lock.
 */
export async function lockCursor(
  tx: Transaction,
  name: string,
  start: number,
): Promise<Cursor | null> {
  const existing = await lockExisting(tx, name);
  if (existing !== null) return existing;
  const created = await tx.query(
    `insert into webhook_cursor (name, position) values ($1, $2) on conflict (name) do nothing
     returning name`,
    [name, start],
  );
  return created.length === 0 ? null : { position: start, progress: '' };
}

async function lockExisting(tx: Transaction, name: string): Promise<Cursor | null> {
  const [cursor] = await tx.query<{ position: number; progress: string }>(
    `select position, reached as progress from webhook_cursor
      where name = $1 for update skip locked`,
    [name],
  );
  return cursor ?? null;
}

export async function moveCursor(
  db: Queryable,
  name: string,
  { position, progress }: Cursor,
): Promise<void> {
  await db.query(`update webhook_cursor set position = $2, reached = $3 where name = $1`, [
    name,
    position,
    progress,
  ]);
}
