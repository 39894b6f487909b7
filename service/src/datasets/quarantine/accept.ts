import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { type RecordedRow, recordRows } from '../source-records/record-rows.ts';
import type { QuarantineId } from './decisions.ts';

/**
 * The rows that a merge needs to look at again once something was decided: a record as it is, a bad
 * row once it is recorded. Null when there is no such thing; `unreadable` when it is no row at all.
 */
export function rowsToMerge(
  tx: Transaction,
  id: QuarantineId,
): Promise<RecordedRow[] | 'unreadable' | null> {
  return id.kind === 'record' ? recorded(tx, id.number) : recordBadRow(tx, id.number);
}

type Recorded = RecordedRow['row'];

async function recorded(tx: Transaction, recordId: number): Promise<RecordedRow[] | null> {
  // At most one row, by the primary key.
  const [row] = await tx.query<Recorded & Record<string, unknown>>(
    `select dataset, subject, provider, feed, natural_key as "naturalKey", fields
       from source_record where id = $1`,
    [recordId],
  );
  return row === undefined ? null : [{ row, recordId, outcome: 'changed', mattersToOrder: true }];
}

async function recordBadRow(
  tx: Transaction,
  rowId: number,
): Promise<RecordedRow[] | 'unreadable' | null> {
  // At most one row, by the primary keys.
  const [found] = await tx.query<{
    dataset: string;
    provider: string;
    feed: string;
    parsed: { subject: string; naturalKey: string; fields: object } | null;
    answerId: number;
    observedAt: Instant;
  }>(
    `select q.dataset, a.provider, a.feed, q.parsed, a.id as "answerId",
            a.observed_at as "observedAt"
       from quarantined_row q join raw_answer a on a.id = q.answer_id where q.id = $1`,
    [rowId],
  );
  if (found === undefined) return null;
  const { dataset, provider, feed, parsed, answerId, observedAt } = found;
  if (parsed === null) return 'unreadable';
  const row = { dataset, provider, feed, ...parsed };
  // Right after what the answer said in its place, so that it is the source's last word.
  return recordRows(tx, [row], observedAt + 1, answerId);
}
