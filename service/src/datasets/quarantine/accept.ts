import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { type IncomingRow, type RecordedRow, recordRows } from '../source-records/record-rows.ts';
import type { QuarantineId } from './decisions.ts';

/**
 * Returns the rows to merge again after a decision: an existing record, or an invalid row after
 * recording it. Returns null if the quarantined row does not exist, or `unreadable` if it cannot be
 * parsed.
 */
export function rowsToMerge(
  tx: Transaction,
  id: QuarantineId,
): Promise<RecordedRow[] | 'unreadable' | null> {
  return id.kind === 'record' ? loadRecord(tx, id.number) : recordRow(tx, id.number);
}

async function loadRecord(db: Queryable, recordId: number): Promise<RecordedRow[] | null> {
  // Returns at most one row.
  const [row] = await db.query<IncomingRow & Row>(
    `select dataset, subject as "entityKey", provider, feed, natural_key as "naturalKey", fields
       from source_record where id = $1`,
    [recordId],
  );
  return row === undefined ? null : [{ row, recordId, outcome: 'changed', mattersToOrder: true }];
}

async function recordRow(
  tx: Transaction,
  rowId: number,
): Promise<RecordedRow[] | 'unreadable' | null> {
  // Returns at most one row.
  const [quarantined] = await tx.query<{
    dataset: string;
    provider: string;
    feed: string;
    parsed: { subject: string; naturalKey: string; fields: object } | null;
    responseId: number;
    observedAt: Instant;
  }>(
    `select q.dataset, a.provider, a.feed, q.parsed, a.id as "responseId",
            a.observed_at as "observedAt"
       from quarantined_row q join raw_answer a on a.id = q.answer_id where q.id = $1`,
    [rowId],
  );
  if (quarantined === undefined) return null;
  const { dataset, provider, feed, parsed, responseId, observedAt } = quarantined;
  if (parsed === null) return 'unreadable';
  const { subject: entityKey, naturalKey, fields } = parsed;
  const row = { dataset, provider, feed, entityKey, naturalKey, fields };
  // Uses a time one millisecond after the response's row for this key, so that the accepted row is
  // the newer one.
  return recordRows(tx, [row], observedAt + 1, responseId);
}
