import { addDays, daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';
import { latest, type ObservationHistory } from './observation-history.ts';
import { type Listing, withdrawnAt } from './withdrawal.ts';

/** A response with all rows that its source has in a data set for a range of days. */
export interface CompleteList {
  dataset: string;
  provider: string;
  feed: string;
  /** First and last day of the list, both inclusive. */
  from: LocalDate;
  to: LocalDate;
  observedAt: Instant;
}

/**
 * Returns the ex-date of a dividend or the report date of a report; null for rows without a day.
 */
function dayOfRow(fields: object): string | null {
  const day: unknown = Reflect.get(fields, 'exDate') ?? Reflect.get(fields, 'date');
  return typeof day === 'string' ? day : null;
}

/** Records a complete list, with its number of rows per day. */
export async function recordCompleteList(
  tx: Transaction,
  { dataset, provider, feed, from, to, observedAt }: CompleteList,
  rows: readonly object[],
): Promise<void> {
  const counts = Map.groupBy(rows, dayOfRow);
  const length = daysBetween(from, to) + 1;
  const days = Array.from({ length }, (_, index) => addDays(from, index));
  const rowCounts = days.map((day) => counts.get(day)?.length ?? 0);
  // Inserts one row per day.
  await tx.query(
    `insert into listed_day (dataset, provider, feed, day, observed_at, row_count)
     select $1, $2, $3, day, to_timestamp($4 / 1000.0), row_count
       from unnest($5::date[], $6::int4[]) as x(day, row_count)
     on conflict (dataset, provider, feed, day, observed_at)
       do update set row_count = greatest(listed_day.row_count, excluded.row_count)`,
    [dataset, provider, feed, observedAt, days, rowCounts],
  );
}

/** Returns whether a complete list for one of the days was observed at the same time or later. */
export async function hasLaterList(db: Queryable, list: CompleteList): Promise<boolean> {
  // Returns one row.
  const [row] = await db.query<{ exists: boolean }>(
    `select exists (select 1 from listed_day
                     where dataset = $1 and provider = $2 and feed = $3
                       and day between $4 and $5 and observed_at >= to_timestamp($6 / 1000.0))`,
    [list.dataset, list.provider, list.feed, list.from, list.to, list.observedAt],
  );
  return row?.exists ?? false;
}

/** Returns the entity keys that a feed ever listed on these days. */
export async function listedKeys(db: Queryable, list: CompleteList): Promise<string[]> {
  // Returns one row per entity key. Uses index source_record_by_day.
  const rows = await db.query<{ subject: string }>(
    `select distinct subject from source_record
      where dataset = $1 and dataset in ('earnings', 'dividends') and provider = $2 and feed = $3
        and coalesce(fields ->> 'exDate', fields ->> 'date') between $4 and $5`,
    [list.dataset, list.provider, list.feed, list.from, list.to],
  );
  return rows.map(({ subject }) => subject);
}

/** The latest observation in a history, with a listed day. */
interface LastSeen {
  history: ObservationHistory<object>;
  at: Instant;
  day: string;
}

/**
 * Returns the time when each history was withdrawn, according to complete lists for its day that do
 * not contain it. Current histories are absent. A history whose latest observation has no day is
 * current. Considers only lists observed by `until`, or all if it is null.
 */
export async function loadWithdrawals(
  db: Queryable,
  dataset: string,
  histories: readonly ObservationHistory<object>[],
  until: Instant | null = null,
): Promise<Map<ObservationHistory<object>, Instant>> {
  const feeds = await listingFeeds(db, dataset, histories);
  const lastSeen = histories.flatMap((history): LastSeen[] => {
    const { at, fields } = latest(history);
    const day = dayOfRow(fields);
    return day === null || at <= 0 || !feeds.has(feedOf(history)) ? [] : [{ history, at, day }];
  });
  const withdrawals = new Map<ObservationHistory<object>, Instant>();
  if (lastSeen.length === 0) return withdrawals;
  const listings = await loadListings(db, dataset, lastSeen, until);
  // If there is no list for the last observation, the number of rows observed with it is used as
  // the list's length.
  const unlisted = lastSeen.flatMap((row, index) => {
    const later = listings.get(index) ?? [];
    const at = withdrawnAt(row.at, later);
    if (at === null) return [];
    if (later[0]?.at !== row.at) return [{ ...row, later }];
    withdrawals.set(row.history, at);
    return [];
  });
  const counts = await countSeenWith(db, dataset, unlisted);
  for (const [index, { history, at, later }] of unlisted.entries()) {
    const since = withdrawnAt(at, [{ at, rows: counts[index] ?? 0 }, ...later]);
    if (since !== null) withdrawals.set(history, since);
  }
  return withdrawals;
}

/**
 * Loads the complete lists for each row's day since the row was last seen, oldest first, by index
 * of the row.
 */
async function loadListings(
  db: Queryable,
  dataset: string,
  lastSeen: readonly LastSeen[],
  until: Instant | null,
): Promise<Map<number, Listing[]>> {
  // Returns one row per list.
  const rows = await db.query<{ ordinal: number; at: Instant; rows: number }>(
    ...statement(sql`
      select x.ordinal, l.observed_at as at, l.row_count as rows
        from ${recordsetOf(lastSeen).as('x')}
        join listed_day l
          on l.dataset = ${dataset} and l.provider = x.provider and l.feed = x.feed
         and l.day = x.day::date and l.observed_at >= to_timestamp(x.at / 1000.0)
         and (${until}::float8 is null or l.observed_at <= to_timestamp(${until} / 1000.0))
       order by x.ordinal, l.observed_at`),
  );
  return Map.groupBy(rows, ({ ordinal }) => ordinal);
}

/**
 * Returns the number of rows for the same day that were observed together with each row. Also works
 * for responses that were not complete lists because a row was invalid, and for responses from
 * before lists were recorded.
 */
async function countSeenWith(
  db: Queryable,
  dataset: string,
  lastSeen: readonly LastSeen[],
): Promise<number[]> {
  if (lastSeen.length === 0) return [];
  // Returns one row per element of `seen`, in the same order. Uses index source_record_by_day and
  // the primary key of sighting.
  const rows = await db.query<{ rows: number }>(
    ...statement(sql`
      select (select count(*)::int4 from source_record r
               where r.dataset = ${dataset} and r.dataset in ('earnings', 'dividends')
                 and r.provider = x.provider and r.feed = x.feed
                 and coalesce(r.fields ->> 'exDate', r.fields ->> 'date') = x.day
                 and exists (select 1 from sighting s
                              where s.record_id = r.id
                                and s.observed_at = to_timestamp(x.at / 1000.0))) as rows
        from ${recordsetOf(lastSeen).as('x')}
       order by x.ordinal`),
  );
  return rows.map((row) => row.rows);
}

function recordsetOf(lastSeen: readonly LastSeen[]) {
  return new Recordset(
    { ordinal: 'int4', provider: 'text', feed: 'text', day: 'text', at: 'float8' },
    lastSeen.map(({ history: { provider, feed }, day, at }, ordinal) => ({
      ordinal,
      provider,
      feed,
      day,
      at,
    })),
  );
}

/** Returns the feeds of these histories that ever had a complete list. Most feeds have none. */
async function listingFeeds(
  db: Queryable,
  dataset: string,
  histories: readonly ObservationHistory<object>[],
): Promise<Set<string>> {
  const feeds = [...new Map(histories.map((history) => [feedOf(history), history])).values()];
  if (feeds.length === 0) return new Set();
  // Returns one row per feed with a list.
  const rows = await db.query<{ provider: string; feed: string }>(
    `select x.provider, x.feed from unnest($2::text[], $3::text[]) as x(provider, feed)
      where exists (select 1 from listed_day l
                     where l.dataset = $1 and l.provider = x.provider and l.feed = x.feed)`,
    [dataset, feeds.map(({ provider }) => provider), feeds.map(({ feed }) => feed)],
  );
  return new Set(rows.map(feedOf));
}

function feedOf({ provider, feed }: { provider: string; feed: string }): string {
  return `${provider}/${feed}`;
}
