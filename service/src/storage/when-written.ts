import type { Queryable } from './db.ts';

/** A store that counts its writes, if all of them pass through it. */
export interface CountedDb extends Queryable {
  writeCount?(): number;
}

/**
 * Returns a check for work that does not query the store while it cannot have changed. After a check
 * that found nothing, the result stays the same until something is written.
 */
export function whenWritten(
  db: CountedDb,
  hasWork: () => Promise<boolean>,
): () => Promise<boolean> {
  let emptyAtCount: number | null = null;
  return async () => {
    const count = db.writeCount?.() ?? null;
    if (count !== null && count === emptyAtCount) return false;
    const found = await hasWork();
    emptyAtCount = found ? null : count;
    return found;
  };
}
