import type { Queryable, Transaction } from '../../storage/db.ts';

export interface Cursor {
  position: number;
  /** What was reached between this position and the next; empty at a position. */
  reached: string;
}

/**
 * Locks a cursor until the transaction ends, and makes it at `start` when there is none; null when
 * another process holds it.
 */
export async function lockCursor(
  tx: Transaction,
  name: string,
  start: number,
): Promise<Cursor | null> {
  // Adds the row unless it stands, by the primary key.
  await tx.query(
    `insert into webhook_cursor (name, position) values ($1, $2) on conflict (name) do nothing`,
    [name, start],
  );
  // At most one row, by the primary key.
  const [row] = await tx.query<{ position: number; reached: string }>(
    `select position, reached from webhook_cursor where name = $1 for update skip locked`,
    [name],
  );
  return row ?? null;
}

export async function moveCursor(db: Queryable, name: string, to: Cursor): Promise<void> {
  // One row, by the primary key.
  await db.query(`update webhook_cursor set position = $2, reached = $3 where name = $1`, [
    name,
    to.position,
    to.reached,
  ]);
}
