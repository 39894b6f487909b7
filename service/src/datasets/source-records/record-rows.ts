import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { canonicalJson } from './canonical-json.ts';

/** A row as a provider parsed it, on its way into the store. */
export interface IncomingRow {
  dataset: string;
  subject: string;
  provider: string;
  feed: string;
  naturalKey: string;
  fields: object;
}

/** What became of a row: first of its thread, a new value, or what was said before. */
export type RowOutcome = 'new' | 'changed' | 'same';

export interface RecordedRow {
  row: IncomingRow;
  recordId: number;
  outcome: RowOutcome;
  /** False when this sighting lies after all others of its thread and says the same as the last. */
  mattersToOrder: boolean;
}

interface ThreadState extends Row {
  ordinal: number;
  record_id: number;
  is_thread_new: boolean;
  was_sighted: boolean;
  in_force: number | null;
  newest: number | null;
}

/**
 * Stores the rows of one answer as sightings at `observedAt`. Repeating it is harmless: a sighting
 * that is there already counts as `same`.
 */
export async function recordRows(
  tx: Transaction,
  rows: readonly IncomingRow[],
  observedAt: Instant,
  answerId: number,
): Promise<RecordedRow[]> {
  if (rows.length === 0) return [];
  const payload = JSON.stringify(rows.map(toPayload));
  // The state of each row's thread before this answer: by the unique key of source_record and the
  // primary key of sighting. in_force is the record said last at or before the observation.
  const before = await tx.query<ThreadState>(
    `with incoming as materialized (
       select * from jsonb_to_recordset($1::jsonb)
         as x(ordinal int, dataset text, subject text, provider text, feed text,
              natural_key text, hash text)
     ), known as (
       select i.ordinal, r.id, encode(r.fields_sha256, 'hex') = i.hash as is_same,
              (select max(s.observed_at) from sighting s
                where s.record_id = r.id and s.observed_at <= to_timestamp($2 / 1000.0)) as before_at,
              (select max(s.observed_at) from sighting s where s.record_id = r.id) as newest_at,
              exists (select 1 from sighting s
                where s.record_id = r.id and s.observed_at = to_timestamp($2 / 1000.0)) as is_sighted
         from incoming i
         join source_record r
           on r.dataset = i.dataset and r.subject = i.subject and r.provider = i.provider
          and r.feed = i.feed and r.natural_key = i.natural_key
     )
     select i.ordinal,
            coalesce(max(k.id) filter (where k.is_same), 0) as record_id,
            count(k.id) = 0 as is_thread_new,
            coalesce(bool_or(k.is_same and k.is_sighted), false) as was_sighted,
            (array_agg(k.id order by k.before_at desc) filter (where k.before_at is not null))[1]
              as in_force,
            (array_agg(k.id order by k.newest_at desc))[1] as newest
       from incoming i left join known k using (ordinal)
      group by i.ordinal order by i.ordinal`,
    [payload, observedAt],
  );
  const ids = await insertRecords(tx, payload, observedAt, answerId);
  return rows.map((row, ordinal) => {
    const state = before[ordinal];
    const recordId = ids.get(ordinal);
    if (state === undefined || recordId === undefined) throw new Error('a row was not stored');
    return { row, recordId, ...judge(state, recordId) };
  });
}

function judge(
  state: ThreadState,
  recordId: number,
): { outcome: RowOutcome; mattersToOrder: boolean } {
  if (state.is_thread_new) return { outcome: 'new', mattersToOrder: true };
  if (state.was_sighted) return { outcome: 'same', mattersToOrder: false };
  const outcome = state.in_force === recordId ? 'same' : 'changed';
  const isExtension = outcome === 'same' && state.newest === recordId;
  return { outcome, mattersToOrder: !isExtension };
}

async function insertRecords(
  tx: Transaction,
  payload: string,
  observedAt: Instant,
  answerId: number,
): Promise<Map<number, number>> {
  // Adds records that are not there yet; by the unique key of source_record.
  await tx.query(
    `insert into source_record
       (dataset, subject, provider, feed, natural_key, fields_sha256, fields)
     select dataset, subject, provider, feed, natural_key, decode(hash, 'hex'), fields
       from jsonb_to_recordset($1::jsonb)
         as x(dataset text, subject text, provider text, feed text, natural_key text, hash text,
              fields jsonb)
     on conflict do nothing`,
    [payload],
  );
  // Adds the sightings and returns the record of every row; by the same unique key.
  const rows = await tx.query<{ ordinal: number; id: number }>(
    `with found as materialized (
       select x.ordinal, r.id
         from jsonb_to_recordset($1::jsonb)
           as x(ordinal int, dataset text, subject text, provider text, feed text,
                natural_key text, hash text)
         join source_record r
           on r.dataset = x.dataset and r.subject = x.subject and r.provider = x.provider
          and r.feed = x.feed and r.natural_key = x.natural_key
          and r.fields_sha256 = decode(x.hash, 'hex')
     ), seen as (
       insert into sighting (record_id, observed_at, answer_id)
       select distinct id, to_timestamp($2 / 1000.0), $3::int8 from found
       on conflict do nothing
     )
     select ordinal, id from found`,
    [payload, observedAt, answerId],
  );
  return new Map(rows.map((row) => [row.ordinal, row.id]));
}

function toPayload(row: IncomingRow, ordinal: number): object {
  const fields = canonicalJson(row.fields);
  return {
    ordinal,
    dataset: row.dataset,
    subject: row.subject,
    provider: row.provider,
    feed: row.feed,
    natural_key: row.naturalKey,
    hash: createHash('sha256').update(fields).digest('hex'),
    fields: JSON.parse(fields) as unknown,
  };
}
