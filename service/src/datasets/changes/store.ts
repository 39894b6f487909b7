import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import type { Change } from '../dataset.ts';
import type { Topic } from '../topics.gen.ts';
import { takeVersionInstant } from '../versions/version-clock.ts';

/**
 * Writes change records (the outbox) and the commit's stale topics in the transaction that makes
 * the changes. A writer waits until earlier writers have committed: ids increase in commit order,
 * times never decrease, and a reader that continues after an id or from a time misses nothing.
 */
export async function writeChanges(
  tx: Transaction,
  changes: readonly Change[],
  topics: ReadonlySet<Topic>,
  now: Instant,
): Promise<void> {
  if (changes.length > 0) {
    const committedAt = await takeVersionInstant(tx, now);
    // Inserts and returns one row per change. A row that no source dates, such as the profile of a company that is
    // known from a calendar alone, was observed when it was stored.
    const written = await tx.query<{ id: number; dataset: string; symbol: string }>(
      `insert into change_record
         (dataset, entity_id, symbol, kind, changed_fields, fields, observed_at, committed_at)
       select dataset, "entityId", symbol, kind,
              array(select jsonb_array_elements_text("changedFields")), fields,
              to_timestamp(coalesce(nullif("observedAt", 0), $2) / 1000.0),
              to_timestamp($2 / 1000.0)
         from jsonb_to_recordset($1::jsonb)
           as x(dataset text, "entityId" text, symbol text, kind text, "changedFields" jsonb,
                fields jsonb, "observedAt" float8)
       returning id, dataset, symbol`,
      [JSON.stringify(changes), committedAt],
    );
    tx.note?.(written.map((change) => ({ kind: 'change', ...change })));
  }
  if (topics.size > 0) {
    // Inserts one row per commit, for the response caches of other processes.
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

/**
 * Returns commits after `afterId` with their stale topics, oldest first, at most 1,000. Of the
 * commits in `knownIds`, only the newest is returned, with an empty list, which shows that it still
 * exists.
 */
export function readStaleTopics(
  db: Queryable,
  afterId: number,
  knownIds: readonly number[] = [],
): Promise<StaleCommit[]> {
  const newestKnown = knownIds.length === 0 ? null : Math.max(...knownIds);
  // Returns one row per commit. Uses the primary key.
  return db.query<StaleCommit & Row>(
    `select id, case when id = $3 then '{}' else topics end as topics
       from commit_log
      where id > $1 and (id = $3 or id <> all($2::int8[])) order by id limit 1000`,
    [afterId, [...knownIds], newestKnown],
  );
}

/** State of the commit log after an id. It is the same only if no commit was added. */
export interface CommitLogState {
  newestId: number;
  count: number;
}

export async function commitLogState(db: Queryable, afterId: number): Promise<CommitLogState> {
  // Returns one row. Reads the newest commits by the primary key.
  const [state] = await db.query<{ newestId: number; count: number }>(
    `select coalesce(max(id), 0) as "newestId", count(*) as count from commit_log where id > $1`,
    [afterId],
  );
  return state ?? { newestId: 0, count: 0 };
}

/** Returns the id of the newest commit, where a new reader starts. */
export async function newestCommitId(db: Queryable): Promise<number> {
  // Returns one row.
  const rows = await db.query<{ id: number }>(`select coalesce(max(id), 0) as id from commit_log`);
  return rows[0]?.id ?? 0;
}

/**
 * Deletes up to `limit` commits older than `before` and returns the number deleted. Every process
 * has already handled the topics of commits this old. The newest thousand are kept, so that a
 * reader can continue from its position.
 */
export async function deleteOldCommits(
  db: Queryable,
  before: Instant,
  limit: number,
): Promise<number> {
  // Deletes the oldest rows. Uses the primary key.
  const deleted = await db.query(
    `delete from commit_log where id in (
       select id from commit_log where id <= (select max(id) from commit_log) - 1000
        order by id limit $2)
        and committed_at < to_timestamp($1 / 1000.0) returning id`,
    [before, limit],
  );
  return deleted.length;
}
