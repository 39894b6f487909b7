import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';
import { canonicalJson } from './canonical-json.ts';

/** A provider's parsed row, to be stored. */
export interface IncomingRow {
  dataset: string;
  entityKey: string;
  provider: string;
  feed: string;
  naturalKey: string;
  fields: object;
}

/**
 * `new`: the first observation in its history. `changed`: a new value. `same`: the value is
 * unchanged.
 */
export type RowOutcome = 'new' | 'changed' | 'same';

export interface RecordedRow {
  row: IncomingRow;
  recordId: number;
  outcome: RowOutcome;
  /** False if this observation is the newest in its history and repeats the previous value. */
  mattersToOrder: boolean;
}

/** A stored record in the history of an incoming row. */
interface StoredRecord {
  id: number;
  /** True if the record has the same values as the incoming row. */
  isSame: boolean;
  /** Time of the newest observation; seconds since 1970 UTC. */
  newestAt: number | null;
  /** Time of the newest observation at or before the incoming one; seconds since 1970 UTC. */
  beforeAt: number | null;
  isObserved: boolean;
}

/**
 * Stores a response's rows as observations at `observedAt`. Repeating the call has no effect: an
 * observation that is already stored is reported as `same`. No two rows may belong to the same
 * history.
 */
export async function recordRows(
  tx: Transaction,
  rows: readonly IncomingRow[],
  observedAt: Instant,
  responseId: number,
): Promise<RecordedRow[]> {
  if (rows.length === 0) return [];
  const keyed = rows.map(withHash);
  const states = (await loadRecords(tx, keyed, observedAt)).map(stateOf);
  await insertMissing(tx, keyed, states, observedAt);
  const recorded = rows.map((row, ordinal) => {
    const state = states[ordinal];
    if (state?.recordId == null) throw new Error('a row was not stored');
    return { row, recordId: state.recordId, wasObserved: state.wasObserved, ...classify(state) };
  });
  const unobserved = recorded.filter(({ wasObserved }) => !wasObserved);
  await insertObservations(
    tx,
    unobserved.map(({ recordId }) => recordId),
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

/** The stored history of a row before this response. */
interface HistoryState {
  recordId: number | null;
  isHistoryNew: boolean;
  wasObserved: boolean;
  /** The record that was last observed at or before the response. */
  inForce: number | null;
  /** The record of the newest observation. */
  newest: number | null;
}

/**
 * Loads the records for each row. A row's records are ordered by hash, as in observation histories.
 */
async function loadRecords(
  tx: Transaction,
  rows: readonly KeyedRow[],
  observedAt: Instant,
): Promise<StoredRecord[][]> {
  const incoming = recordsetOf(rows).as('i', [...KEY_COLUMNS, 'hash', 'ordinal']);
  // Returns one row with a JSON list that has one element per record in each row's history. Uses
  // the unique key of source_record and the primary key of sighting. In the common case that an
  // observation is newer than all others, this reads one index entry. Reading a single text takes
  // half as long as reading rows (1,000 histories, embedded database).
  const [result] = await tx.query<{ records: string | null }>(
    ...statement(sql`
      select json_agg(json_build_array(
               i.ordinal, r.id, r.fields_sha256 = decode(i.hash, 'hex'),
               extract(epoch from n.newest_at)::float8, extract(epoch from b.before_at)::float8,
               coalesce(b.before_at = to_timestamp(${observedAt} / 1000.0), false)
             ) order by r.fields_sha256)::text as records
        from ${incoming}
        join source_record r
          on r.dataset = i.dataset and r.subject = i.subject and r.provider = i.provider
         and r.feed = i.feed and r.natural_key = i.natural_key
       cross join lateral (
         select max(s.observed_at) as newest_at from sighting s where s.record_id = r.id) n
       cross join lateral (
         select case when n.newest_at <= to_timestamp(${observedAt} / 1000.0) then n.newest_at
                else (select max(s.observed_at) from sighting s
                       where s.record_id = r.id
                         and s.observed_at <= to_timestamp(${observedAt} / 1000.0))
                end as before_at) b`),
  );
  const records = JSON.parse(result?.records ?? '[]') as RecordTuple[];
  const byRow: StoredRecord[][] = rows.map(() => []);
  for (const [ordinal, id, isSame, newestAt, beforeAt, isObserved] of records) {
    byRow[ordinal]?.push({ id, isSame, newestAt, beforeAt, isObserved });
  }
  return byRow;
}

type RecordTuple = [number, number, boolean, number | null, number | null, boolean];

const KEY_COLUMNS = ['dataset', 'subject', 'provider', 'feed', 'natural_key'] as const;

/** Uses the column names of source_record. */
function recordsetOf(rows: readonly KeyedRow[]) {
  return new Recordset(
    {
      dataset: 'text',
      subject: 'text',
      provider: 'text',
      feed: 'text',
      natural_key: 'text',
      hash: 'text',
      json: 'text',
      ordinal: 'int4',
    },
    rows.map(({ dataset, entityKey, provider, feed, naturalKey, hash, json }, ordinal) => ({
      dataset,
      subject: entityKey,
      provider,
      feed,
      natural_key: naturalKey,
      hash,
      json,
      ordinal,
    })),
  );
}

function stateOf(records: readonly StoredRecord[]): HistoryState {
  const same = records.find((record) => record.isSame);
  return {
    recordId: same?.id ?? null,
    isHistoryNew: records.length === 0,
    wasObserved: same?.isObserved ?? false,
    inForce: lastBy(records, (record) => record.beforeAt),
    newest: lastBy(records, (record) => record.newestAt),
  };
}

/**
 * Returns the record with the latest time. If two have the same time, the later one in the list
 * wins, as in histories.
 */
function lastBy(
  records: readonly StoredRecord[],
  instantOf: (record: StoredRecord) => number | null,
): number | null {
  let last: number | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const record of records) {
    const at = instantOf(record);
    if (at === null || at < lastAt) continue;
    last = record.id;
    lastAt = at;
  }
  return last;
}

function classify(state: HistoryState): Pick<RecordedRow, 'outcome' | 'mattersToOrder'> {
  if (state.isHistoryNew) return { outcome: 'new', mattersToOrder: true };
  if (state.wasObserved) return { outcome: 'same', mattersToOrder: false };
  const outcome = state.inForce === state.recordId ? 'same' : 'changed';
  const isExtension = outcome === 'same' && state.newest === state.recordId;
  return { outcome, mattersToOrder: !isExtension };
}

/** Inserts the missing records and sets their ids in the states. */
async function insertMissing(
  tx: Transaction,
  rows: readonly KeyedRow[],
  states: readonly HistoryState[],
  observedAt: Instant,
): Promise<void> {
  const missing = rows.filter((_, ordinal) => states[ordinal]?.recordId === null);
  if (missing.length === 0) return;
  const records = recordsetOf(missing).as('x', [...KEY_COLUMNS, 'hash', 'json']);
  // Returns one row per inserted record.
  const inserted = await tx.query<{ id: number; key: string }>(
    ...statement(sql`
      insert into source_record
        (dataset, subject, provider, feed, natural_key, fields_sha256, fields)
      select dataset, subject, provider, feed, natural_key, decode(hash, 'hex'), json::jsonb
        from ${records}
      on conflict do nothing
      returning id, concat_ws(chr(10), dataset, subject, provider, feed, natural_key,
                              encode(fields_sha256, 'hex')) as key`),
  );
  const ids = new Map(inserted.map(({ key, id }) => [key, id]));
  for (const [ordinal, state] of states.entries()) {
    const row = rows[ordinal];
    if (state.recordId === null && row !== undefined) state.recordId = ids.get(keyOf(row)) ?? null;
  }
  if (ids.size === missing.length) return;
  // Another process has inserted some of the records in the meantime.
  for (const [ordinal, stored] of (await loadRecords(tx, rows, observedAt)).entries()) {
    const state = states[ordinal];
    if (state !== undefined) state.recordId ??= stored.find(({ isSame }) => isSame)?.id ?? null;
  }
}

async function insertObservations(
  tx: Transaction,
  recordIds: readonly number[],
  observedAt: Instant,
  responseId: number,
): Promise<void> {
  if (recordIds.length === 0) return;
  // Inserts one observation per record.
  await tx.query(
    `insert into sighting (record_id, observed_at, answer_id)
     select id, to_timestamp($2 / 1000.0), $3::int8 from unnest($1::int8[]) as x(id)
     on conflict do nothing`,
    [recordIds.map(String), observedAt, responseId],
  );
}

function keyOf({ dataset, entityKey, provider, feed, naturalKey, hash }: KeyedRow): string {
  return [dataset, entityKey, provider, feed, naturalKey, hash].join('\n');
}
