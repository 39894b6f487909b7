import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import type { QuarantineId } from './decisions.ts';

/** Everything an operator needs to decide about a quarantined row. */
export interface Evidence {
  /** The row as received, or the record as parsed. */
  row: unknown;
  /** True if the row can be parsed. Only then can it be accepted. */
  isReadable: boolean;
  /** The newest response that contained the row. */
  response: ArchivedSourceResponse;
  /** Other values that the same source reported for the same key, newest first. */
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

/** Loads the evidence, or returns null if the quarantined row does not exist. */
export function loadEvidence(db: Queryable, id: QuarantineId): Promise<Evidence | null> {
  return id.kind === 'record' ? loadRecord(db, id.number) : loadRow(db, id.number);
}

const RESPONSE = `jsonb_build_object('id', a.id, 'url', a.url, 'status', a.status, 'observedAt',
    extract(epoch from a.observed_at) * 1000, 'receivedAt', extract(epoch from a.received_at) * 1000,
    'sizeBytes', (select size_bytes from raw_body b where b.sha256 = a.body_sha256)) as response`;

/** Identifies a record within its feed. */
interface RecordKey {
  dataset: string;
  provider: string;
  feed: string;
  entityKey: string;
  naturalKey: string;
}

interface EvidenceRow extends Row {
  row: unknown;
  response: ArchivedSourceResponse;
}

async function loadRecord(db: Queryable, recordId: number): Promise<Evidence | null> {
  // Returns at most one row.
  const [record] = await db.query<EvidenceRow & RecordKey>(
    `select r.fields as row, r.dataset, r.provider, r.feed, r.subject as "entityKey",
            r.natural_key as "naturalKey", ${RESPONSE}
       from source_record r
       join lateral (select answer_id from sighting s where s.record_id = r.id
                      order by s.observed_at desc limit 1) s on true
       join raw_answer a on a.id = s.answer_id
      where r.id = $1`,
    [recordId],
  );
  if (record === undefined) return null;
  const { row, response, ...key } = record;
  return { row, isReadable: true, response, others: await loadOthers(db, key, recordId) };
}

async function loadRow(db: Queryable, rowId: number): Promise<Evidence | null> {
  // Returns at most one row.
  const [quarantined] = await db.query<
    EvidenceRow &
      Pick<RecordKey, 'dataset' | 'provider' | 'feed'> & {
        parsed: { subject: string; naturalKey: string } | null;
      }
  >(
    `select q.row_json as row, q.parsed, q.dataset, a.provider, a.feed, ${RESPONSE}
       from quarantined_row q join raw_answer a on a.id = q.answer_id where q.id = $1`,
    [rowId],
  );
  if (quarantined === undefined) return null;
  const { row, response, parsed, ...feed } = quarantined;
  if (parsed === null) return { row, isReadable: false, response, others: [] };
  const key = { ...feed, entityKey: parsed.subject, naturalKey: parsed.naturalKey };
  return { row, isReadable: true, response, others: await loadOthers(db, key, null) };
}

async function loadOthers(
  db: Queryable,
  { dataset, entityKey, provider, feed, naturalKey }: RecordKey,
  exceptId: number | null,
): Promise<Evidence['others']> {
  // Returns a few rows. Uses the unique key of source_record.
  return db.query<{ row: unknown; at: Instant }>(
    `select r.fields as row, max(s.observed_at) as at
       from source_record r join sighting s on s.record_id = r.id
      where r.dataset = $1 and r.subject = $2 and r.provider = $3 and r.feed = $4
        and r.natural_key = $5 and r.id is distinct from $6
      group by r.id order by at desc limit ${OTHERS_MAX}`,
    [dataset, entityKey, provider, feed, naturalKey, exceptId],
  );
}
