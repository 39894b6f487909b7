import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';

export type Decision = 'accepted' | 'rejected';

/** What is in quarantine: a record that no merge takes in, or a bad row of an answer. */
export type QuarantineId = { kind: 'record' | 'row'; number: number };

export interface DecisionEntry {
  id: QuarantineId;
  decision: Decision;
  reason: string;
  at: Instant;
  /** Who decided, for people. */
  by: string;
}

/** Writes down what was decided of something that is or was in quarantine; the newest word counts. */
export async function saveDecision(tx: Transaction, entry: DecisionEntry): Promise<void> {
  const { id, decision, reason: why, at, by } = entry;
  const params = [id.number, decision, why, at, by];
  if (id.kind === 'record') {
    // Adds or changes one row; by the primary keys and the unique index of records.
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
  // Adds or changes one row; by the primary keys and the unique index of contents.
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

/** Contents of bad rows of a feed that operators let in, as `rowHash` names them. */
export async function loadAcceptedRows(
  db: Queryable,
  { provider, feed }: { provider: string; feed: string },
): Promise<Set<string>> {
  // One row a content that was accepted, none usually; by the unique index of contents.
  const rows = await db.query<{ hash: string }>(
    `select encode(row_sha256, 'hex') as hash from quarantine_decision
      where provider = $1 and feed = $2 and row_sha256 is not null and decision = 'accepted'`,
    [provider, feed],
  );
  return new Set(rows.map(({ hash }) => hash));
}
