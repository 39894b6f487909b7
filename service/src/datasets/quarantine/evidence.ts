import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import type { QuarantineId } from './decisions.ts';

/** What lies behind something in quarantine. */
export interface Evidence {
  /** The row itself: as it came, or, of a record, as it was read. */
  row: unknown;
  /** Whether it can be read; then it may be let in. */
  isReadable: boolean;
  /** The newest answer that it came from. */
  response: ArchivedSourceResponse;
  /** What the same source says of the same thing in other words, the newest first. */
  others: { row: unknown; at: Instant }[];
}

export interface ArchivedSourceResponse {
  id: number;
  url: string;
  status: number;
  observedAt: Instant;
  receivedAt: Instant;
  sizeBytes: number;
}

const OTHERS_MAX = 20;

/** Null when there is no such thing. */
export function loadEvidence(db: Queryable, id: QuarantineId): Promise<Evidence | null> {
  return id.kind === 'record' ? ofRecord(db, id.number) : ofRow(db, id.number);
}

const ANSWER = `jsonb_build_object('id', a.id, 'url', a.url, 'status', a.status, 'observedAt',
    extract(epoch from a.observed_at) * 1000, 'receivedAt', extract(epoch from a.received_at) * 1000,
    'sizeBytes', (select size_bytes from raw_body b where b.sha256 = a.body_sha256)) as answer`;

interface FoundRow extends Row {
  row: unknown;
  response: ArchivedSourceResponse;
  parsed: { subject: string; naturalKey: string } | null;
  dataset: string;
  provider: string;
  feed: string;
  subject: string;
  natural_key: string;
}

async function ofRecord(db: Queryable, recordId: number): Promise<Evidence | null> {
  // At most one row: by the primary keys, the newest sighting by its own.
  const [found] = await db.query<FoundRow>(
    `select r.fields as row, r.dataset, r.provider, r.feed, r.subject, r.natural_key, ${ANSWER}
       from source_record r
       join lateral (select answer_id from sighting s where s.record_id = r.id
                      order by s.observed_at desc limit 1) s on true
       join raw_answer a on a.id = s.answer_id
      where r.id = $1`,
    [recordId],
  );
  if (found === undefined) return null;
  const { row, response: answer, natural_key: naturalKey } = found;
  const others = await othersOf(db, { ...found, naturalKey, not: recordId });
  return { row, isReadable: true, response: answer, others };
}

async function ofRow(db: Queryable, rowId: number): Promise<Evidence | null> {
  // At most one row, by the primary keys.
  const [found] = await db.query<FoundRow>(
    `select q.row_json as row, q.parsed, q.dataset, a.provider, a.feed, ${ANSWER}
       from quarantined_row q join raw_answer a on a.id = q.answer_id where q.id = $1`,
    [rowId],
  );
  if (found === undefined) return null;
  const { row, response: answer, parsed } = found;
  if (parsed === null) return { row, isReadable: false, response: answer, others: [] };
  const others = await othersOf(db, { ...found, ...parsed, not: 0 });
  return { row, isReadable: true, response: answer, others };
}

async function othersOf(
  db: Queryable,
  of: {
    dataset: string;
    subject: string;
    provider: string;
    feed: string;
    naturalKey: string;
    not: number;
  },
): Promise<Evidence['others']> {
  // Some rows, by the unique key of source_record.
  return db.query<{ row: unknown; at: Instant }>(
    `select r.fields as row, max(s.observed_at) as at
       from source_record r join sighting s on s.record_id = r.id
      where r.dataset = $1 and r.subject = $2 and r.provider = $3 and r.feed = $4
        and r.natural_key = $5 and r.id <> $6
      group by r.id order by at desc limit ${OTHERS_MAX}`,
    [of.dataset, of.subject, of.provider, of.feed, of.naturalKey, of.not],
  );
}
