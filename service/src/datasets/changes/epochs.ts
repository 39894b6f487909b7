import type { Instant } from '../../platform/instant.ts';
import { CELL_MARKER } from '../../storage/cells/cell-marker.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { topics } from '../topics.gen.ts';

/** Why the store went on from an older state. */
export type EpochReason = 'restore' | 'failover' | 'operator';

/** The changes that a new epoch continues after, and where its own begin. */
export interface Epoch {
  lastChangeId: number;
  firstChangeId: number;
}

/** Minimum number of ids that an epoch skips. No history writes as many at once. */
const EPOCH_GAP_MIN = 1_000_000;
/** The first id of an epoch follows its start, so that epochs from one backup have different ids. */
const IDS_PER_SECOND = 1_000;
const IDS_SINCE = Date.parse('2025-01-01T00:00:00Z');

/**
 * Starts an epoch: ids of changes and commits continue far above any that the lost history can have
 * used. Waits for running writers, and makes cached lists of changes stale. Requires a user who owns
 * the sequences.
 */
export async function startChangeEpoch(
  tx: Transaction,
  { reason, now }: { reason: EpochReason; now: Instant },
): Promise<Epoch> {
  await tx.query('lock table change_record, commit_log in share row exclusive mode');
  // Returns one row.
  const [newest] = await tx.query<{ change: number; commit: number }>(
    `select coalesce((select max(id) from change_record), 0) as change,
            coalesce((select max(id) from commit_log), 0) as commit`,
  );
  const lastChangeId = newest?.change ?? 0;
  const byTime = Math.floor((now - IDS_SINCE) / 1_000) * IDS_PER_SECOND;
  const firstChangeId = Math.max(lastChangeId + EPOCH_GAP_MIN, byTime);
  const firstCommitId = Math.max((newest?.commit ?? 0) + EPOCH_GAP_MIN, byTime);
  // Returns one row.
  await tx.query(
    `select setval(pg_get_serial_sequence('change_record', 'id'), $1::int8, false),
            setval(pg_get_serial_sequence('commit_log', 'id'), $2::int8, false)`,
    [firstChangeId, firstCommitId],
  );
  await tx.query(
    ...statement(sql`
      insert into store_epoch (first_change_id, last_change_id, started_at, reason)
      values (${firstChangeId}, ${lastChangeId}, to_timestamp(${now} / 1000.0), ${reason})`),
  );
  await tx.query(
    ...statement(sql`
      insert into commit_log (topics, committed_at)
      values (${[topics.changes.any]}::text[], to_timestamp(${now} / 1000.0))`),
  );
  return { lastChangeId, firstChangeId };
}

/**
 * Returns null if the history contains the position after a change. Otherwise, the change was lost,
 * or never existed: returns the last change before it that both histories have in common, or the
 * newest change if that is unknown. A cell may not have received the newest changes yet that another
 * cell has already returned, so a position slightly after its own newest change is not lost.
 */
export async function findLostPosition(
  db: Queryable,
  afterId: number,
): Promise<{ resumeAfterId: number } | null> {
  // Returns one row. Reads the primary key of change_record, and a row per epoch.
  const [found] = await db.query<{ newest: number; shared: number | null; isCell: boolean }>(
    `select coalesce((select max(id) from change_record), 0) as newest,
            exists (select 1 from store_marker where name = '${CELL_MARKER}') as "isCell",
            (select min(last_change_id) from store_epoch
              where last_change_id < $1 and first_change_id > $1) as shared`,
    [afterId],
  );
  const { newest = 0, shared = null, isCell = false } = found ?? {};
  if (shared !== null) return { resumeAfterId: shared };
  if (isCell && afterId < newest + EPOCH_GAP_MIN) return null;
  return afterId > newest ? { resumeAfterId: newest } : null;
}

/** Returns true if an epoch may have started between two consecutive changes. */
export function mayCrossEpoch(afterId: number, nextId: number): boolean {
  return nextId - afterId >= EPOCH_GAP_MIN;
}
