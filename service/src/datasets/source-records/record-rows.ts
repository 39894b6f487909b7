import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { canonicalJson } from './canonical-json.ts';

/** A row as a provider parsed it, on its way into the store. */
export interface IncomingRow {
  dataset: string;
  entityKey: string;
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

/** A stored record of an incoming row's thread. */
interface KnownRecord {
  id: number;
  /** It says what the incoming row says. */
  isSame: boolean;
  /** Its newest sighting, and the newest at or before the observation; seconds since 1970 UTC. */
  newestAt: number | null;
  beforeAt: number | null;
  isObserved: boolean;
}

/**
 * Stores the rows of one answer as sightings at `observedAt`. Repeating it is harmless: a sighting
 * that is there already counts as `same`. No two rows may be of one thread.
 */
export async function recordRows(
  tx: Transaction,
  rows: readonly IncomingRow[],
  observedAt: Instant,
  responseId: number,
): Promise<RecordedRow[]> {
  if (rows.length === 0) return [];
  const keyed = rows.map(withHash);
  const states = (await loadKnown(tx, keyed, observedAt)).map(stateOf);
  await insertMissing(tx, keyed, states, observedAt);
  const recorded = rows.map((row, ordinal) => {
    const state = states[ordinal];
    if (state?.recordId == null) throw new Error('a row was not stored');
    return { row, recordId: state.recordId, wasSighted: state.wasObserved, ...judge(state) };
  });
  const unseen = recorded.filter(({ wasSighted: wasObserved }) => !wasObserved);
  await insertObservations(
    tx,
    unseen.map(({ recordId }) => recordId),
    observedAt,
    responseId,
  );
  return recorded.map(({ row, recordId, outcome, mattersToOrder }) => ({
    row,
    recordId,
    outcome,
    mattersToOrder,
  }));
}

interface KeyedRow extends IncomingRow {
  json: string;
  hash: string;
}

function withHash(row: IncomingRow): KeyedRow {
  const json = canonicalJson(row.fields);
  return { ...row, json, hash: createHash('sha256').update(json).digest('hex') };
}

/** What the store knew of a row's thread before this answer. */
interface HistoryState {
  recordId: number | null;
  isHistoryNew: boolean;
  wasObserved: boolean;
  /** The record said last at or before the observation. */
  inForce: number | null;
  /** The record said last of all. */
  newest: number | null;
}

/** Records by row, those of one row in the order of their content, as threads order them. */
async function loadKnown(
  tx: Transaction,
  rows: readonly KeyedRow[],
  observedAt: Instant,
): Promise<KnownRecord[][]> {
  // A list with one entry a record of each row's thread: by the unique key of source_record and the
  // primary key of sighting, from which the common case, an observation after all others, reads
  // one entry. It comes as one text: as rows it took twice the time (1,000 threads, embedded).
  const [answer] = await tx.query<{ known: string | null }>(
    `select json_agg(json_build_array(
              i.ordinal - 1, r.id, r.fields_sha256 = decode(i.hash, 'hex'),
              extract(epoch from n.newest_at)::float8, extract(epoch from b.before_at)::float8,
              coalesce(b.before_at = to_timestamp($7 / 1000.0), false)
            ) order by r.fields_sha256)::text as known
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
            with ordinality
         as i(dataset, subject, provider, feed, natural_key, hash, ordinal)
       join source_record r
         on r.dataset = i.dataset and r.subject = i.subject and r.provider = i.provider
        and r.feed = i.feed and r.natural_key = i.natural_key
      cross join lateral (
        select max(s.observed_at) as newest_at from sighting s where s.record_id = r.id) n
      cross join lateral (
        select case when n.newest_at <= to_timestamp($7 / 1000.0) then n.newest_at
               else (select max(s.observed_at) from sighting s
                      where s.record_id = r.id
                        and s.observed_at <= to_timestamp($7 / 1000.0)) end as before_at) b`,
    [...keysOf(rows), observedAt],
  );
  const known = JSON.parse(answer?.known ?? '[]') as KnownEntry[];
  const byRow: KnownRecord[][] = rows.map(() => []);
  for (const [ordinal, id, isSame, newestAt, beforeAt, isObserved] of known) {
    byRow[ordinal]?.push({ id, isSame, newestAt, beforeAt, isObserved });
  }
  return byRow;
}

type KnownEntry = [number, number, boolean, number | null, number | null, boolean];

function stateOf(records: readonly KnownRecord[]): HistoryState {
  const same = records.find((record) => record.isSame);
  return {
    recordId: same?.id ?? null,
    isHistoryNew: records.length === 0,
    wasObserved: same?.isObserved ?? false,
    inForce: lastBy(records, (record) => record.beforeAt),
    newest: lastBy(records, (record) => record.newestAt),
  };
}

/** Of two said at one instant the later in the list counts, as it does in the thread. */
function lastBy(
  records: readonly KnownRecord[],
  at: (record: KnownRecord) => number | null,
): number | null {
  let last: number | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const record of records) {
    const time = at(record);
    if (time === null || time < lastAt) continue;
    last = record.id;
    lastAt = time;
  }
  return last;
}

function judge(state: HistoryState): Pick<RecordedRow, 'outcome' | 'mattersToOrder'> {
  if (state.isHistoryNew) return { outcome: 'new', mattersToOrder: true };
  if (state.wasObserved) return { outcome: 'same', mattersToOrder: false };
  const outcome = state.inForce === state.recordId ? 'same' : 'changed';
  const isExtension = outcome === 'same' && state.newest === state.recordId;
  return { outcome, mattersToOrder: !isExtension };
}

/** Adds the records that are not there yet and notes their ids in the states. */
async function insertMissing(
  tx: Transaction,
  rows: readonly KeyedRow[],
  states: readonly HistoryState[],
  observedAt: Instant,
): Promise<void> {
  const missing = rows.filter((_, ordinal) => states[ordinal]?.recordId === null);
  if (missing.length === 0) return;
  // Adds the records and returns their ids with what they are found by; by the unique key.
  const added = await tx.query<{ id: number; key: string }>(
    `insert into source_record
       (dataset, subject, provider, feed, natural_key, fields_sha256, fields)
     select dataset, subject, provider, feed, natural_key, decode(hash, 'hex'), fields::jsonb
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                   $7::text[])
         as x(dataset, subject, provider, feed, natural_key, hash, fields)
     on conflict do nothing
     returning id, concat_ws(chr(10), dataset, subject, provider, feed, natural_key,
                             encode(fields_sha256, 'hex')) as key`,
    [...keysOf(missing), missing.map(({ json }) => json)],
  );
  const ids = new Map(added.map(({ key, id }) => [key, id]));
  for (const [ordinal, state] of states.entries()) {
    const row = rows[ordinal];
    if (state.recordId === null && row !== undefined) state.recordId = ids.get(keyOf(row)) ?? null;
  }
  if (ids.size === missing.length) return;
  // Another process added some of them since they were looked for.
  for (const [ordinal, records] of (await loadKnown(tx, rows, observedAt)).entries()) {
    const state = states[ordinal];
    if (state !== undefined) state.recordId ??= records.find(({ isSame }) => isSame)?.id ?? null;
  }
}

async function insertObservations(
  tx: Transaction,
  recordIds: readonly number[],
  observedAt: Instant,
  responseId: number,
): Promise<void> {
  if (recordIds.length === 0) return;
  // Adds one sighting a record; by the primary key.
  await tx.query(
    `insert into sighting (record_id, observed_at, answer_id)
     select id, to_timestamp($2 / 1000.0), $3::int8 from unnest($1::int8[]) as x(id)
     on conflict do nothing`,
    [recordIds.map(String), observedAt, responseId],
  );
}

function keysOf(rows: readonly KeyedRow[]): string[][] {
  const parts = ['dataset', 'subject', 'provider', 'feed', 'naturalKey', 'hash'] as const;
  return parts.map((part) => rows.map((row) => row[part]));
}

function keyOf(row: KeyedRow): string {
  const { dataset, entityKey: subject, provider, feed, naturalKey, hash } = row;
  return [dataset, subject, provider, feed, naturalKey, hash].join('\n');
}
