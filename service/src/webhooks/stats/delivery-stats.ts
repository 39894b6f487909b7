import type { Instant } from '../../platform/instant.ts';
import type { Db, Row, SqlValue, Transaction } from '../../storage/db.ts';
import { rolledUpWithin, loadRolledUpHours } from './attempt-rollup.ts';
import { NOTHING, spanTried, triedIn, triedParams } from './attempts-query.ts';

/** One endpoint's attempts in one hour of UTC or New York day. */
export interface AttemptSlice {
  endpointId: string;
  /** When the hour or day begins. */
  at: Instant;
  /** Attempts that were answered 2xx. */
  delivered: number;
  /** Attempts that were not, and those of which nobody knows. */
  failed: number;
  /** The failed ones by why: `http_5xx`, `timeout`, or `unknown`. */
  errors: Record<string, number>;
  /** How long the ended attempts took: half of them at most, and 95 of a hundred. */
  p50Ms: number | null;
  p95Ms: number | null;
}

export interface StatsRange {
  from: Instant;
  to: Instant;
  by: 'hour' | 'day';
}

/**
 * What attempts came to, by endpoint and time; hours and days without any are left out. Tests that a
 * person sent count too. Hours that are kept are read as such, the others attempt by attempt.
 */
export async function loadDeliveryStats(
  db: Db,
  { endpointIds, ...span }: StatsRange & { endpointIds: readonly string[] },
): Promise<AttemptSlice[]> {
  const rows = await inOneMoment(db, async (tx) => {
    // One row an endpoint (its place among those asked for), time and outcome, with the marks of the
    // time: hours by the primary key of attempt_hour. A month with 50,000 attempts takes a fifth of
    // what it takes to read each. Sorted by places, which compare faster than ids.
    return tx.query<SliceRow>(
      `with ${triedIn({ isOfEndpoints: true })},
       asked as (select id, place::int4 from unnest($9::text[]) with ordinality as a (id, place)),
       kept as materialized (
         select place, ${timeOf('hour', span)} as at, error, attempts, durations
           from attempt_hour join asked on id = endpoint_id
          where endpoint_id = any($9::text[]) and hour >= to_timestamp($10 / 1000.0)
            and hour < to_timestamp($11 / 1000.0)),
       fresh as materialized (
         select place, ${timeOf('hour', span)} as at, coalesce(error, '') as error, duration_ms
           from tried join asked on id = endpoint_id),
       counted as (
         select place, at, error, sum(attempts)::int4 as attempts
           from (select place, at, error, attempts from kept
                 union all select place, at, error, 1 from fresh) as each
          group by 1, 2, 3),
       marked as (
         select place, at,
                percentile_disc(array[0.5, 0.95]) within group (order by duration_ms) as marks
           from (select place, at, unnest(durations) as duration_ms from kept
                 union all select place, at, duration_ms from fresh) as each
          group by 1, 2)
       select place, at, error, attempts, marks
         from counted left join marked using (place, at) order by place, at, error`,
      await paramsOf(tx, span, endpointIds),
    );
  });
  return slicesOf(rows, endpointIds);
}

/** The attempts of all endpoints in one hour of UTC or New York day. */
export type SystemSlice = Pick<AttemptSlice, 'at' | 'delivered' | 'failed' | 'errors'>;

/** The same of the whole system, without how long attempts took. */
export async function loadSystemDeliveryStats(db: Db, span: StatsRange): Promise<SystemSlice[]> {
  const rows = await inOneMoment(db, async (tx) => {
    // One row a time and outcome: hours by index attempt_hour_by_hour.
    return tx.query<CountRow>(
      `with ${triedIn({ isOfEndpoints: false })},
       hours as (
         select hour, error, attempts from attempt_hour
          where hour >= to_timestamp($9 / 1000.0) and hour < to_timestamp($10 / 1000.0)
          union all select hour, coalesce(error, ''), 1 from tried),
       summed as (select hour, error, sum(attempts) as attempts from hours group by 1, 2)
       select ${timeOf('hour', span)} as at, error, sum(attempts)::int4 as attempts
         from summed group by 1, 2 order by 1, 2`,
      await paramsOf(tx, span),
    );
  });
  const slices: SystemSlice[] = [];
  for (const row of rows) {
    if (slices.at(-1)?.at !== row.at) slices.push({ at: row.at, ...NONE, errors: {} });
    addTo(slices.at(-1), row);
  }
  return slices;
}

const NONE = { delivered: 0, failed: 0 };

/** Which hours are kept, and what is in them and in the others, must be of one moment. */
function inOneMoment<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read read only');
    return work(tx);
  });
}

/** `by` chooses among fixed texts. */
function timeOf(hour: string, { by }: StatsRange): string {
  return by === 'hour' ? hour : `date_trunc('day', ${hour}, 'America/New_York')`;
}

/** Those of `tried`, and behind them the bounds of the kept hours. */
async function paramsOf(
  tx: Transaction,
  { from, to }: StatsRange,
  endpointIds?: readonly string[],
): Promise<SqlValue[]> {
  // The first by the primary key: no older delivery has attempts.
  const [first] = await tx.query<{ id: string | null }>(
    'select min(delivery_id) as id from delivery_attempt',
  );
  const oldestId = first?.id ?? '';
  const kept = rolledUpWithin(await loadRolledUpHours(tx), { from, to });
  const spans = [
    spanTried({ from, to: kept?.from ?? to }, oldestId),
    kept === null ? NOTHING : spanTried({ from: kept.to, to }, oldestId),
  ] as const;
  return [...triedParams(spans, endpointIds), kept?.from ?? 0, kept?.to ?? 0];
}

interface CountRow extends Row {
  at: Instant;
  /** Empty for those answered 2xx. */
  error: string;
  attempts: number;
}

interface SliceRow extends CountRow {
  /** Of the endpoint, from 1 on. */
  place: number;
  marks: (number | null)[] | null;
}

function slicesOf(rows: readonly SliceRow[], endpointIds: readonly string[]): AttemptSlice[] {
  const slices: AttemptSlice[] = [];
  for (const { place, marks, ...row } of rows) {
    const endpointId = endpointIds[place - 1] ?? '';
    const last = slices.at(-1);
    if (last?.endpointId !== endpointId || last.at !== row.at) {
      const [p50Ms = null, p95Ms = null] = marks ?? [];
      slices.push({ endpointId, at: row.at, ...NONE, errors: {}, p50Ms, p95Ms });
    }
    addTo(slices.at(-1), row);
  }
  return slices;
}

function addTo(slice: SystemSlice | undefined, { error, attempts }: CountRow): void {
  if (slice === undefined) return;
  if (error === '') slice.delivered += attempts;
  else {
    slice.failed += attempts;
    slice.errors[error] = attempts;
  }
}
