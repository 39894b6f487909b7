import { addDays, daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { withdrawnAt, type Listing } from './withdrawal.ts';
import { latest, type ObservationHistory } from './observation-history.ts';

/** An answer that names everything its source knows of some days in a data set. */
export interface CompleteList {
  dataset: string;
  provider: string;
  feed: string;
  /** Both included. */
  from: LocalDate;
  to: LocalDate;
  observedAt: Instant;
}

/** The day of a row: the ex-date of a dividend, the date of a report; null for what has none. */
function dayOfRow(fields: object): string | null {
  const day: unknown = Reflect.get(fields, 'exDate') ?? Reflect.get(fields, 'date');
  return typeof day === 'string' ? day : null;
}

/** Notes a whole list, and how many of its rows are of each day. */
export async function recordCompleteList(
  tx: Transaction,
  list: CompleteList,
  rows: readonly object[],
): Promise<void> {
  const counts = Map.groupBy(rows, dayOfRow);
  const length = daysBetween(list.from, list.to) + 1;
  const days = Array.from({ length }, (_, index) => addDays(list.from, index));
  // Adds one row a day; by the primary key.
  await tx.query(
    `insert into listed_day (dataset, provider, feed, day, observed_at, row_count)
     select $1, $2, $3, day, to_timestamp($4 / 1000.0), row_count
       from unnest($5::date[], $6::int4[]) as x(day, row_count)
     on conflict (dataset, provider, feed, day, observed_at)
       do update set row_count = greatest(listed_day.row_count, excluded.row_count)`,
    [
      list.dataset,
      list.provider,
      list.feed,
      list.observedAt,
      days,
      days.map((day) => counts.get(day)?.length ?? 0),
    ],
  );
}

/** Whether a whole list of one of the days is known that was observed then or later. */
export async function hasLaterList(db: Queryable, list: CompleteList): Promise<boolean> {
  // One row; by the primary key.
  const [row] = await db.query<{ known: boolean }>(
    `select exists (select 1 from listed_day
                     where dataset = $1 and provider = $2 and feed = $3
                       and day between $4 and $5 and observed_at >= to_timestamp($6 / 1000.0)) as known`,
    [list.dataset, list.provider, list.feed, list.from, list.to, list.observedAt],
  );
  return row?.known ?? false;
}

/** Whom a feed ever listed on these days. */
export async function listedKeys(db: Queryable, list: CompleteList): Promise<string[]> {
  // One row a subject; by index source_record_by_day.
  const rows = await db.query<{ subject: string }>(
    `select distinct subject from source_record
      where dataset = $1 and dataset in ('earnings', 'dividends') and provider = $2 and feed = $3
        and coalesce(fields ->> 'exDate', fields ->> 'date') between $4 and $5`,
    [list.dataset, list.provider, list.feed, list.from, list.to],
  );
  return rows.map(({ subject }) => subject);
}

/**
 * Since when each of the threads is taken for withdrawn, since whole lists of its day lack it; those
 * that stand are left out. A thread whose newest word is of no day stands.
 */
export async function loadWithdrawals(
  db: Queryable,
  dataset: string,
  histories: readonly ObservationHistory<object>[],
): Promise<Map<ObservationHistory<object>, Instant>> {
  const listing = await listingFeeds(db, dataset, histories);
  const asked = histories.flatMap((history) => {
    const { at, fields } = latest(history);
    const day = dayOfRow(fields);
    return day === null || at <= 0 || !listing.has(feedOf(history)) ? [] : [{ history, at, day }];
  });
  const withdrawals = new Map<ObservationHistory<object>, Instant>();
  if (asked.length === 0) return withdrawals;
  // One row a list of the thread's day since it was last seen; by the primary key.
  const rows = await db.query<{ ordinal: number; at: Instant; rows: number }>(
    `select x.ordinal::int4 - 1 as ordinal, l.observed_at as at, l.row_count as rows
       from unnest($2::text[], $3::text[], $4::date[], $5::float8[]) with ordinality
         as x(provider, feed, day, since, ordinal)
       join listed_day l
         on l.dataset = $1 and l.provider = x.provider and l.feed = x.feed and l.day = x.day
        and l.observed_at >= to_timestamp(x.since / 1000.0)
      order by x.ordinal, l.observed_at`,
    [
      dataset,
      asked.map(({ history }) => history.provider),
      asked.map(({ history }) => history.feed),
      asked.map(({ day }) => day),
      asked.map(({ at }) => at),
    ],
  );
  const listings: Map<number, Listing[]> = Map.groupBy(rows, ({ ordinal }) => ordinal);
  // Where no list was noted with the last sight, the rows that were seen with it tell its length.
  const unlisted: Sight[] = [];
  for (const [ordinal, sight] of asked.entries()) {
    const since = withdrawnAt(sight.at, listings.get(ordinal) ?? []);
    if (since === null) continue;
    if (listings.get(ordinal)?.[0]?.at === sight.at) withdrawals.set(sight.history, since);
    else unlisted.push({ ...sight, listings: listings.get(ordinal) ?? [] });
  }
  const counts = await countSeenWith(db, dataset, unlisted);
  for (const [index, sight] of unlisted.entries()) {
    const since = withdrawnAt(sight.at, [
      { at: sight.at, rows: counts[index] ?? 0 },
      ...sight.listings,
    ]);
    if (since !== null) withdrawals.set(sight.history, since);
  }
  return withdrawals;
}

/** A row of a day, as it was last seen. */
interface Sight {
  history: ObservationHistory<object>;
  at: Instant;
  day: string;
  /** Whole lists of that day since. */
  listings: readonly Listing[];
}

/**
 * How many rows of its day were seen with each: also where the answer was no whole list, since a row
 * of it could not be read, or came before lists were noted.
 */
async function countSeenWith(
  db: Queryable,
  dataset: string,
  sights: readonly Sight[],
): Promise<number[]> {
  if (sights.length === 0) return [];
  // One row a sight, in their order; by index source_record_by_day and the primary key of sighting.
  const rows = await db.query<{ rows: number }>(
    `select (select count(*)::int4 from source_record r
              where r.dataset = $1 and r.dataset in ('earnings', 'dividends')
                and r.provider = x.provider and r.feed = x.feed
                and coalesce(r.fields ->> 'exDate', r.fields ->> 'date') = x.day
                and exists (select 1 from sighting s
                             where s.record_id = r.id
                               and s.observed_at = to_timestamp(x.at / 1000.0))) as rows
       from unnest($2::text[], $3::text[], $4::text[], $5::float8[]) with ordinality
         as x(provider, feed, day, at, ordinal)
      order by x.ordinal`,
    [
      dataset,
      sights.map(({ history }) => history.provider),
      sights.map(({ history }) => history.feed),
      sights.map(({ day }) => day),
      sights.map(({ at }) => at),
    ],
  );
  return rows.map((row) => row.rows);
}

/** Feeds of these threads that ever gave a whole list: most never do. */
async function listingFeeds(
  db: Queryable,
  dataset: string,
  histories: readonly ObservationHistory<object>[],
): Promise<Set<string>> {
  const feeds = [...new Map(histories.map((history) => [feedOf(history), history])).values()];
  if (feeds.length === 0) return new Set();
  // One row a feed with a list; by the primary key.
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
