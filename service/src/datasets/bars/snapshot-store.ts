import type { Decimal } from '../../domain/decimal.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { type Sql, sql, statement } from '../../storage/sql.ts';
import type { Snapshot, SnapshotComparison } from './snapshot.ts';

/** A feed's undated lists for one market segment. */
export interface SnapshotList {
  provider: string;
  feed: string;
  list: string;
}

/** A close that differs from the previous close reported in the next snapshot. */
export interface CloseJump {
  symbol: string;
  close: Decimal;
  previousClose: Decimal;
  seenAt: Instant;
}

/**
 * Below this daily volume, unchanged prices prove nothing: warrants, for example, keep showing the
 * last day on which they traded.
 */
const WELL_TRADED_MIN = sql`50000`;
/**
 * At or above this volume, the same volume at the same price in two snapshots means that the row
 * was not refreshed.
 */
const REPEATED_MIN = sql`10000`;
/**
 * A row that was not refreshed may still include the last trades of its session, which change its
 * volume by at most this fraction.
 */
const SAME_VOLUME = sql`0.005`;
/**
 * A previous close that deviates from the earlier snapshot's close by at most this fraction is
 * considered the same close.
 */
const SAME_CLOSE = sql`0.0015`;
const JUMP_MIN = sql`0.15`;
/** Number of days to look back. Older snapshots do not help to determine a session. */
export const DAYS_BACK = 15;

/**
 * Selects the row for the symbol of `n` in an earlier snapshot of the list. The limit forces one
 * primary key lookup per row; without statistics, the planner would scan the whole session for each
 * row.
 */
function earlierRow(date: LocalDate): Sql {
  return sql`lateral (select * from (
    select * from price_bar e
     where e.symbol = n.symbol and e.date = ${date}
       and e.provider = n.provider and e.feed = n.feed
     limit 1) e where e.list = n.list)`;
}

/** Selects the rows `n` of a snapshot. Uses index price_bar_by_date. */
function rowsOf({ provider, feed, list }: SnapshotList, date: LocalDate): Sql {
  return sql`n.date = ${date} and n.provider = ${provider} and n.feed = ${feed}
         and n.list = ${list}`;
}

/** Selects the snapshot `p` for a date. */
function snapshotAt({ provider, feed, list }: SnapshotList, date: LocalDate): Sql {
  return sql`p.provider = ${provider} and p.feed = ${feed} and p.list = ${list}
         and p.date = ${date}`;
}

/**
 * Loads the list's snapshots from `DAYS_BACK` days before the given dates onwards, oldest first.
 * Creates missing snapshots for those dates, with the date itself as their session.
 */
export async function loadSnapshots(
  tx: Transaction,
  { provider, feed, list }: SnapshotList,
  dates: readonly LocalDate[],
): Promise<Snapshot[]> {
  const [first] = dates.toSorted();
  if (first === undefined) return [];
  // Inserts one row per new snapshot.
  await tx.query(
    `insert into price_night (provider, feed, list, date, content_date)
     select $1, $2, $3, d::date, d::date from unnest($4::text[]) as x(d) on conflict do nothing`,
    [provider, feed, list, dates],
  );
  // Returns one row per snapshot, ordered by date.
  return tx.query<Snapshot & Row>(
    `select date, content_date as "contentDate", parent_date as "parentDate", relation,
            held as fault
       from price_night
      where provider = $1 and feed = $2 and list = $3 and date >= $4
      order by date`,
    [provider, feed, list, addDays(first, -DAYS_BACK)],
  );
}

export async function saveSnapshot(
  tx: Transaction,
  list: SnapshotList,
  { date, contentDate, parentDate, relation, fault }: Snapshot,
): Promise<void> {
  // Updates one row.
  await tx.query(
    ...statement(sql`
      update price_night p
         set content_date = ${contentDate}, parent_date = ${parentDate}, relation = ${relation},
             held = ${fault}
       where ${snapshotAt(list, date)}`),
  );
}

/** Compares the rows of a snapshot with those of an earlier one. */
export async function compareSnapshots(
  db: Queryable,
  list: SnapshotList,
  date: LocalDate,
  earlier: LocalDate,
): Promise<SnapshotComparison> {
  // Returns one row. Uses index price_bar_by_date and the primary key.
  const [row] = await db.query<SnapshotComparison & Row>(
    ...statement(sql`
      select count(*)::int4 as shared,
             (count(*) filter (where n.close = m.close and n.volume = m.volume))::int4 as same,
             (count(*) filter (where abs(n.previous_close - m.close)
                                       <= ${SAME_CLOSE} * m.close))::int4 as next
        from price_bar n
        join ${earlierRow(earlier)} m on true
       where ${rowsOf(list, date)}
         and n.volume >= ${WELL_TRADED_MIN} and n.previous_close is not null`),
  );
  return row ?? { shared: 0, same: 0, next: 0 };
}

/**
 * Marks the rows of a snapshot as usable or quarantined. If the snapshot has a fault, all its rows
 * are quarantined. Otherwise, rows that repeat the previous session are stale, provided that the
 * previous session is usable. A row repeats it if price and volume are equal, or if price and
 * change are equal and the volume is nearly equal.
 */
export async function quarantineRows(
  tx: Transaction,
  list: SnapshotList,
  { date, fault }: Snapshot,
  previousDate: LocalDate,
): Promise<void> {
  const { provider, feed } = list;
  // Updates the rows that change. Uses index price_bar_by_date and the primary keys.
  await tx.query(
    ...statement(sql`
      update price_bar t set held = v.held
        from (select n.symbol,
                     coalesce(${fault}, case when m.symbol is not null then 'stale-row' end) as held
                from price_bar n
                left join ${earlierRow(previousDate)} m
                  on m.close = n.close and n.volume >= ${REPEATED_MIN}
                 and (m.volume = n.volume
                      or (m.previous_close = n.previous_close and m.close <> n.previous_close
                          and abs(m.volume - n.volume) <= ${SAME_VOLUME} * m.volume))
                 and exists (select 1 from price_night p
                              where ${snapshotAt(list, previousDate)} and p.held is null)
               where ${rowsOf(list, date)}) v
       where t.symbol = v.symbol and t.date = ${date} and t.provider = ${provider}
         and t.feed = ${feed} and t.held is distinct from v.held`),
  );
}

/** Returns refreshed rows whose previous close is far from the close of the previous session. */
export async function loadCloseJumps(
  db: Queryable,
  list: SnapshotList,
  date: LocalDate,
  previousDate: LocalDate,
): Promise<CloseJump[]> {
  // Returns a few rows. Uses index price_bar_by_date and the primary keys.
  return db.query<CloseJump & Row>(
    ...statement(sql`
      select n.symbol, m.close, n.previous_close as "previousClose", n.observed_at as "seenAt"
        from price_bar n
        join ${earlierRow(previousDate)} m on true
        join price_night p on ${snapshotAt(list, previousDate)}
       where ${rowsOf(list, date)}
         and p.held is null and n.held is null and n.volume is distinct from m.volume
         and abs(n.previous_close - m.close) > ${JUMP_MIN} * m.close
       order by n.symbol`),
  );
}
