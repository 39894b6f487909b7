import type { Decimal } from '../../domain/decimal.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import type { Comparison, Night } from './snapshot.ts';

/** The undated lists of one part of a market, from one feed. */
export interface NightList {
  provider: string;
  feed: string;
  list: string;
}

/** A close that differs from what the next night tells of it. */
export interface Jump {
  symbol: string;
  close: Decimal;
  previousClose: Decimal;
  seenAt: Instant;
}

/** Fewer shares a day say nothing: warrants show the last day on which they traded at all. */
const WELL_TRADED_MIN = 50_000;
/** With so many, the same volume at the same price twice is a row that was not refreshed. */
const REPEATED_MIN = 10_000;
/** A row not refreshed may still count the last trades of its session, up to this share. */
const SAME_VOLUME = 0.005;
/** Within this share of it a close before is the close of the night before. */
const SAME_CLOSE = 0.0015;
const JUMP_MIN = 0.15;
/** A list that is older says nothing of the session that another one is of. */
export const DAYS_BEFORE = 15;

/**
 * The row of `n` in an earlier session of the list. One look-up a row by the primary key, which the
 * limit brings about: a planner without figures would go through the whole session for each row.
 */
const EARLIER = `lateral (select * from (
    select * from price_bar e
     where e.symbol = n.symbol and e.date = $5 and e.provider = n.provider and e.feed = n.feed
     limit 1) e where e.list = n.list)`;

/**
 * The nights of the list from some before those days on, oldest first; a new one is of the day it
 * should be.
 */
export async function loadNights(
  tx: Transaction,
  { provider, feed, list }: NightList,
  of: readonly LocalDate[],
): Promise<Night[]> {
  const sorted = of.toSorted();
  const [first] = sorted;
  if (first === undefined) return [];
  // Notes the nights that came, by the primary key.
  await tx.query(
    `insert into price_night (provider, feed, list, date, content_date)
     select $1, $2, $3, d::date, d::date from unnest($4::text[]) as x(d) on conflict do nothing`,
    [provider, feed, list, of],
  );
  // One row a night in order, by the primary key.
  return tx.query<Night & Row>(
    `select date, content_date as "contentDate", parent_date as "parentDate", relation, held
       from price_night
      where provider = $1 and feed = $2 and list = $3 and date >= $4
      order by date`,
    [provider, feed, list, addDays(first, -DAYS_BEFORE)],
  );
}

export async function saveNight(
  tx: Transaction,
  { provider, feed, list }: NightList,
  { date, contentDate, parentDate, relation, quarantined }: Night,
): Promise<void> {
  // By the primary key.
  await tx.query(
    `update price_night set content_date = $5, parent_date = $6, relation = $7, held = $8
      where provider = $1 and feed = $2 and list = $3 and date = $4`,
    [provider, feed, list, date, contentDate, parentDate, relation, quarantined],
  );
}

/** How the rows of a night stand to those of an earlier one. */
export async function compareNights(
  db: Queryable,
  { provider, feed, list }: NightList,
  date: LocalDate,
  earlier: LocalDate,
): Promise<Comparison> {
  // One row; by index price_bar_by_date and the primary key.
  const [row] = await db.query<Comparison & Row>(
    `select count(*)::int4 as shared,
            (count(*) filter (where n.close = m.close and n.volume = m.volume))::int4 as same,
            (count(*) filter (where abs(n.previous_close - m.close)
                                      <= $6::numeric * m.close))::int4 as next
       from price_bar n
       join ${EARLIER} m on true
      where n.date = $4 and n.provider = $1 and n.feed = $2 and n.list = $3
        and n.volume >= ${WELL_TRADED_MIN} and n.previous_close is not null`,
    [provider, feed, list, date, earlier, String(SAME_CLOSE)],
  );
  return row ?? { shared: 0, same: 0, next: 0 };
}

/**
 * Shows the rows of a night, or holds them: all with the night, else those that repeat the session
 * before, which was then shown itself: its price and volume, or its price, change and about its
 * volume.
 */
export async function holdRows(
  tx: Transaction,
  { provider, feed, list }: NightList,
  night: Night,
  before: LocalDate,
): Promise<void> {
  // Writes what differs; by index price_bar_by_date and the primary keys.
  await tx.query(
    `update price_bar t set held = v.held
       from (select n.symbol, coalesce($6, case when m.symbol is not null then 'stale-row' end)
                      as held
               from price_bar n
               left join ${EARLIER} m
                 on m.close = n.close and n.volume >= ${REPEATED_MIN}
                and (m.volume = n.volume
                     or (m.previous_close = n.previous_close and m.close <> n.previous_close
                         and abs(m.volume - n.volume) <= ${SAME_VOLUME} * m.volume))
                and exists (select 1 from price_night p
                             where p.provider = $1 and p.feed = $2 and p.list = $3
                               and p.date = $5 and p.held is null)
              where n.date = $4 and n.provider = $1 and n.feed = $2 and n.list = $3) v
      where t.symbol = v.symbol and t.date = $4 and t.provider = $1 and t.feed = $2
        and t.held is distinct from v.held`,
    [provider, feed, list, night.date, before, night.quarantined],
  );
}

/** Rows that traded anew and whose close before is far from the close of that session. */
export async function loadJumps(
  db: Queryable,
  { provider, feed, list }: NightList,
  date: LocalDate,
  before: LocalDate,
): Promise<Jump[]> {
  // A few rows; by index price_bar_by_date and the primary keys.
  return db.query<Jump & Row>(
    `select n.symbol, m.close, n.previous_close as "previousClose", n.observed_at as "seenAt"
       from price_bar n
       join ${EARLIER} m on true
       join price_night p on p.provider = $1 and p.feed = $2 and p.list = $3 and p.date = $5
      where n.date = $4 and n.provider = $1 and n.feed = $2 and n.list = $3
        and p.held is null and n.held is null and n.volume is distinct from m.volume
        and abs(n.previous_close - m.close) > ${JUMP_MIN} * m.close
      order by n.symbol`,
    [provider, feed, list, date, before],
  );
}
