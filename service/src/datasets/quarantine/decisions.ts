import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';

export type Decision = 'accepted' | 'rejected';

/** Identifies a quarantined row: a record that no merge uses, or an invalid row in a response. */
export type QuarantineId = { kind: 'record' | 'row'; number: number };

export interface DecisionEntry {
  id: QuarantineId;
  decision: Decision;
  reason: string;
  at: Instant;
  /** Label of the operator who made the decision. */
  by: string;
}

export type DecisionResult =
  | { kind: 'decided' }
  | { kind: 'not-found' }
  | { kind: 'already-accepted' }
  /** An accepted row was already recorded as an observation and can no longer be rejected. */
  | { kind: 'already-recorded' }
  /** The quarantined row cannot be parsed as a row of its data set. */
  | { kind: 'unreadable'; detail: string }
  /** The row is readable, but the merge did not use it even with the rule lifted. */
  | { kind: 'not-merged'; detail: string };

/** Saves a decision and applies it. `also` runs in the same transaction. */
export type DecideQuarantined = (
  entry: DecisionEntry,
  also: (tx: Transaction) => Promise<void>,
) => Promise<DecisionResult>;

/**
 * Saves a decision about a current or former quarantined row. The latest decision replaces earlier
 * ones.
 */
export async function saveDecision(tx: Transaction, entry: DecisionEntry): Promise<void> {
  const { id, decision, reason, at, by } = entry;
  const params = [id.number, decision, reason, at, by];
  if (id.kind === 'record') {
    // Inserts or updates one row.
    await tx.query(
      `insert into quarantine_decision (decision, why, decided_at, decided_by, record_id, provider,
                                        feed, dataset, subject, reason, detail)
       select $2, $3, to_timestamp($4 / 1000.0), $5, r.id, r.provider, r.feed, r.dataset, r.subject,
              coalesce(h.reason, q.reason), coalesce(h.detail, q.detail)
         from source_record r
         left join held_record h on h.record_id = r.id
         left join quarantine_decision q on q.record_id = r.id
        where r.id = $1 order by h.owner limit 1
       on conflict (record_id) where record_id is not null do update
         set ${OVERWRITE}`,
      params,
    );
    return;
  }
  // Inserts or updates one row.
  await tx.query(
    `insert into quarantine_decision (decision, why, decided_at, decided_by, row_id, provider, feed,
                                      dataset, subject, reason, detail, row_sha256)
     select $2, $3, to_timestamp($4 / 1000.0), $5, q.id, a.provider, a.feed, q.dataset, q.subject,
            q.reason, q.detail, q.row_sha256
       from quarantined_row q join raw_answer a on a.id = q.answer_id where q.id = $1
     on conflict (provider, feed, dataset, row_sha256) where row_sha256 is not null do update
       set ${OVERWRITE}`,
    params,
  );
}

const OVERWRITE = `decision = excluded.decision, why = excluded.why,
  decided_at = excluded.decided_at, decided_by = excluded.decided_by`;

/** Returns the hashes (`rowHash`) of a feed's invalid rows that operators accepted. */
export async function loadAcceptedRows(
  db: Queryable,
  { provider, feed }: { provider: string; feed: string },
): Promise<Set<string>> {
  // Returns one row per accepted hash, usually none. Uses the unique index on the hash.
  const rows = await db.query<{ hash: string }>(
    `select encode(row_sha256, 'hex') as hash from quarantine_decision
      where provider = $1 and feed = $2 and row_sha256 is not null and decision = 'accepted'`,
    [provider, feed],
  );
  return new Set(rows.map(({ hash }) => hash));
}
