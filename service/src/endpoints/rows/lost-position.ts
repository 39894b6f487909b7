import { findLostPosition } from '../../datasets/changes/epochs.ts';
import type { ChangeCursor } from '../../datasets/changes/load.ts';
import type { Queryable } from '../../storage/db.ts';
import { formatPosition } from './change-row.ts';

/**
 * Returns null if a client can continue from the position. Otherwise, the position is in a history
 * that the store has lost: returns where to continue after loading all data again. `db` must be the
 * primary, because a replica may not have the newest changes yet.
 */
export async function findResumePosition(
  db: Queryable,
  cursor: ChangeCursor,
): Promise<string | null> {
  if (!('afterId' in cursor)) return null;
  const lost = await findLostPosition(db, cursor.afterId);
  return lost === null ? null : formatPosition(lost.resumeAfterId);
}
