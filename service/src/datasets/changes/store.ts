import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import type { Change } from '../dataset.ts';
import { takeVersionInstant } from '../versions/version-clock.ts';

/**
 * Writes the change records (the outbox) and the commit's stale topics, in its transaction. Whoever
 * writes changes waits here until those before are committed: numbers rise in the order of commits,
 * times never fall, and a reader who goes on after a number or from a time misses none.
 */
export async function writeChanges(
  tx: Transaction,
  changes: readonly Change[],
  topics: ReadonlySet<string>,
  now: Instant,
): Promise<void> {
  if (changes.length > 0) {
    const committedAt = await takeVersionInstant(tx, now);
    // Adds one row a change.
    await tx.query(
      `insert into change_record
         (dataset, entity_id, symbol, kind, changed_fields, fields, observed_at, committed_at)
       select dataset, "entityId", symbol, kind,
              array(select jsonb_array_elements_text("changedFields")), fields,
              to_timestamp("observedAt" / 1000.0), to_timestamp($2 / 1000.0)
         from jsonb_to_recordset($1::jsonb)
           as x(dataset text, "entityId" text, symbol text, kind text, "changedFields" jsonb,
                fields jsonb, "observedAt" float8)`,
      [JSON.stringify(changes), committedAt],
    );
  }
  if (topics.size > 0) {
    // Adds one row a commit, for other processes that keep answers.
    await tx.query(
      `insert into commit_log (topics, committed_at) values ($1::text[], to_timestamp($2 / 1000.0))`,
      [[...topics], now],
    );
  }
}

export interface StaleCommit {
  id: number;
  topics: string[];
}

/** Topics made stale by commits after `afterId`, oldest first, at most 1,000 commits at a time. */
export function readStaleTopics(db: Queryable, afterId: number): Promise<StaleCommit[]> {
  // Commits after an id, by the primary key.
  return db.query<StaleCommit & Row>(
    `select id, topics from commit_log where id > $1 order by id limit 1000`,
    [afterId],
  );
}

/** The id of the newest commit, to start reading after. */
export async function newestCommitId(db: Queryable): Promise<number> {
  // The greatest id, by the primary key.
  const rows = await db.query<{ id: number }>(`select coalesce(max(id), 0) as id from commit_log`);
  return rows[0]?.id ?? 0;
}

/**
 * Removes the next lot of commits from before, whose topics every process has long dropped; how many are
 * gone. The newest thousand stay, so that who reads on finds the place where it was.
 */
export async function deleteOldCommits(
  db: Queryable,
  before: Instant,
  lot: number,
): Promise<number> {
  // At most `lot` rows, the oldest by the primary key.
  const gone = await db.query(
    `delete from commit_log where id in (
       select id from commit_log where id <= (select max(id) from commit_log) - 1000
        order by id limit $2)
        and committed_at < to_timestamp($1 / 1000.0) returning id`,
    [before, lot],
  );
  return gone.length;
}
