import type { Decimal } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { type Sql, sql, statement } from '../../storage/sql.ts';
import { lateFeedOf, type Snapshot, type SnapshotComparison } from './snapshot.ts';

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
/** The same for a close to the last digit, which may be rounded. */
const EXACT_CLOSE = sql`0.0001`;
const JUMP_MIN = sql`0.15`;
/** Number of days to look back. Older snapshots do not help to determine a session. */
export const DAYS_BACK = 15;

/** The rows of one list in one feed on one day. */
interface ListedRows extends SnapshotList {
  date: LocalDate;
}

/**
 * Selects the row for the symbol of `n` in other rows of the list. The limit forces one primary key
 * lookup per row; without statistics, the planner would scan the whole session for each row.
 */
function otherRow({ provider, feed, list, date }: ListedRows): Sql {
  return sql`lateral (select * from (
    select * from price_bar e
     where e.symbol = n.symbol and e.date = ${date}
       and e.provider = ${provider} and e.feed = ${feed}
     limit 1) e where e.list = ${list})`;
}

/** Selects the rows `n` of a list. Uses index price_bar_by_date. */
function rowsOf({ provider, feed, list, date }: ListedRows): Sql {
  return sql`n.date = ${date} and n.provider = ${provider} and n.feed = ${feed}
         and n.list = ${list}`;
}

/** Returns where the rows of a snapshot are served, for a snapshot that is. */
export function servedRows(list: SnapshotList, { date, servedDate }: Snapshot): ListedRows {
  if (servedDate === null || servedDate === date) return { ...list, date };
  return { ...list, feed: lateFeedOf(list.feed), date: servedDate };
}

/**
 * Loads all snapshots of the list, oldest first. Creates missing snapshots for the given dates,
 * with the date itself as their session.
 */
export async function loadSnapshots(
  tx: Transaction,
  { provider, feed, list }: SnapshotList,
  dates: readonly LocalDate[],
): Promise<Snapshot[]> {
  // Inserts one row per new snapshot.
  await tx.query(
    `insert into price_night (provider, feed, list, date, content_date)
     select $1, $2, $3, d::date, d::date from unnest($4::text[]) as x(d) on conflict do nothing`,
    [provider, feed, list, dates],
  );
  // Returns one row per snapshot, ordered by date: about 250 a year.
  return tx.query<Snapshot & Row>(
    `select date, content_date as "contentDate", parent_date as "parentDate", relation,
            unlike, held as fault, served_date as "servedDate"
       from price_night
      where provider = $1 and feed = $2 and list = $3
      order by date`,
    [provider, feed, list],
  );
}

/** Loads the dates of withheld snapshots that were last reconciled by an earlier release. */
export async function loadUncountedFaults(
  db: Queryable,
  { provider, feed, list }: SnapshotList,
): Promise<LocalDate[]> {
  // Returns no rows, except once after an upgrade.
  const rows = await db.query<{ date: LocalDate }>(
    `select date from price_night
      where provider = $1 and feed = $2 and list = $3 and held is not null and row_count is null`,
    [provider, feed, list],
  );
  return rows.map(({ date }) => date);
}

/** Saves the session that a snapshot shows. */
export async function saveSession(
  tx: Transaction,
  { provider, feed, list }: SnapshotList,
  { date, contentDate, parentDate, relation, unlike }: Snapshot,
): Promise<void> {
  // Updates one row.
  await tx.query(
    ...statement(sql`
      update price_night
         set content_date = ${contentDate}, parent_date = ${parentDate}, relation = ${relation},
             unlike = ${unlike}
       where provider = ${provider} and feed = ${feed} and list = ${list} and date = ${date}`),
  );
}

/** Saves under which session a snapshot's rows are served, with the number of its rows. */
export async function saveServed(
  tx: Transaction,
  list: SnapshotList,
  snapshot: Snapshot,
): Promise<void> {
  const { provider, feed, list: name } = list;
  const { date, fault, servedDate } = snapshot;
  // Updates one row. Counts rows with index price_bar_by_date.
  await tx.query(
    ...statement(sql`
      update price_night p
         set held = ${fault}, served_date = ${servedDate}, row_count = c.rows,
             stale_count = c.stale
        from (select (select count(*)::int4 from price_bar n
                       where ${rowsOf({ ...list, date })}) as rows,
                     (select count(*)::int4 from price_bar n
                       where ${rowsOf(servedRows(list, snapshot))}
                         and n.held = 'stale-row') as stale) c
       where p.provider = ${provider} and p.feed = ${feed} and p.list = ${name}
         and p.date = ${date}`),
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
             (count(*) filter (where n.close = m.close and (n.volume = m.volume
                                or n.previous_close = m.previous_close)))::int4 as same,
             (count(*) filter (where n.previous_close = m.previous_close))::int4 as revised,
             (count(*) filter (where abs(n.previous_close - m.close)
                                       <= ${SAME_CLOSE} * m.close))::int4 as next,
             (count(*) filter (where abs(n.previous_close - m.close)
                                       <= ${JUMP_MIN} * m.close))::int4 as near,
             (count(*) filter (where abs(n.previous_close - m.close)
                                       <= ${EXACT_CLOSE} * m.close))::int4 as exact
        from price_bar n
        join ${otherRow({ ...list, date: earlier })} m on true
       where ${rowsOf({ ...list, date })}
         and n.volume >= ${WELL_TRADED_MIN} and n.previous_close is not null`),
  );
  return row ?? { shared: 0, same: 0, revised: 0, next: 0, near: 0, exact: 0 };
}

/**
 * Serves the rows of a snapshot under its session: in place if it was captured on that evening,
 * otherwise as a copy. Rows that repeat the snapshot of an earlier session are withheld as stale. A
 * row repeats it if price and volume are equal, or if price and change are equal and the volume is
 * nearly equal.
 */
export async function writeServedRows(
  tx: Transaction,
  list: SnapshotList,
  snapshot: Snapshot,
  earlier: LocalDate | null,
): Promise<void> {
  const { date, servedDate } = snapshot;
  if (servedDate === null) return;
  const captured = { ...list, date };
  const held = sql`case when m.symbol is not null then 'stale-row' end`;
  const repeated =
    earlier === null
      ? sql`cross join (select null::text as symbol) m`
      : sql`
    left join ${otherRow({ ...list, date: earlier })} m
      on m.close = n.close and n.volume >= ${REPEATED_MIN}
     and (m.volume = n.volume
          or (m.previous_close = n.previous_close and m.close <> n.previous_close
              and abs(m.volume - n.volume) <= ${SAME_VOLUME} * m.volume))`;
  if (servedDate === date) {
    // Updates the rows that change. Uses index price_bar_by_date and the primary keys.
    await tx.query(
      ...statement(sql`
        update price_bar t set held = v.held
          from (select n.symbol, ${held} as held from price_bar n ${repeated}
                 where ${rowsOf(captured)}) v
         where t.symbol = v.symbol and t.date = ${date} and t.provider = ${list.provider}
           and t.feed = ${list.feed} and t.held is distinct from v.held`),
    );
    return;
  }
  const { feed } = servedRows(list, snapshot);
  // Writes the rows that change. Uses index price_bar_by_date and the primary keys. A symbol that
  // moved to another list keeps its newest row.
  await tx.query(
    ...statement(sql`
      insert into price_bar as t
        (symbol, date, provider, feed, list, basis_date, open, high, low, close, previous_close,
         volume, market_cap, held, observed_at, answer_id)
      select n.symbol, ${servedDate}::date, n.provider, ${feed}, n.list, ${servedDate}::date,
             n.open, n.high, n.low, n.close, n.previous_close, n.volume, n.market_cap, ${held}, n.observed_at,
             n.answer_id
        from price_bar n ${repeated}
       where ${rowsOf(captured)}
      on conflict (symbol, date, provider, feed) do update set
        list = excluded.list, open = excluded.open, high = excluded.high, low = excluded.low,
        close = excluded.close, previous_close = excluded.previous_close,
        volume = excluded.volume, market_cap = excluded.market_cap, held = excluded.held,
        observed_at = excluded.observed_at, answer_id = excluded.answer_id
      where (t.list = excluded.list
             or (excluded.observed_at, excluded.list) > (t.observed_at, t.list))
        and (t.*) is distinct from (excluded.*)`),
  );
}

/** Withholds all rows of a snapshot that is not served under its date. */
export async function withholdRows(
  tx: Transaction,
  { provider, feed, list }: SnapshotList,
  { date, fault }: Snapshot,
): Promise<void> {
  // Updates the rows that change. Uses index price_bar_by_date.
  await tx.query(
    `update price_bar set held = $5
      where date = $4 and provider = $1 and feed = $2 and list = $3
        and held is distinct from $5`,
    [provider, feed, list, date, fault],
  );
}

/**
 * Deletes the copies served for a session that are not from the given snapshot. Returns their
 * symbols.
 */
export async function deleteLateRows(
  tx: Transaction,
  list: SnapshotList,
  session: LocalDate,
  served: Snapshot | null,
): Promise<string[]> {
  const late = { ...list, feed: lateFeedOf(list.feed), date: session };
  const kept =
    served === null || served.date === session
      ? sql`false`
      : sql`exists (select from price_bar e
                     where e.symbol = n.symbol and e.date = ${served.date}
                       and e.provider = n.provider and e.feed = ${list.feed}
                       and e.list = n.list)`;
  // Usually deletes nothing. Uses index price_bar_by_date and the primary key.
  const deleted = await tx.query<{ symbol: string }>(
    ...statement(
      sql`delete from price_bar n where ${rowsOf(late)} and not (${kept}) returning n.symbol`,
    ),
  );
  return deleted.map(({ symbol }) => symbol);
}

/**
 * Returns rows served for a session whose previous close is far from the close that is served for
 * the session before. Rows that were not refreshed are excluded.
 */
export async function loadCloseJumps(
  db: Queryable,
  session: ListedRows,
  previous: ListedRows,
): Promise<CloseJump[]> {
  // Returns a few rows. Uses index price_bar_by_date and the primary keys.
  return db.query<CloseJump & Row>(
    ...statement(sql`
      select n.symbol, m.close, n.previous_close as "previousClose", n.observed_at as "seenAt"
        from price_bar n
        join ${otherRow(previous)} m on true
       where ${rowsOf(session)}
         and n.held is null and n.volume is distinct from m.volume
         and abs(n.previous_close - m.close) > ${JUMP_MIN} * m.close
       order by n.symbol`),
  );
}
