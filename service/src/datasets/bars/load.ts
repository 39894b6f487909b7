import type { AdjustedBar } from '../../domain/daily-bar.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadSplits } from '../splits/store.ts';
import { type BasedBar, toCommonBasis } from './common-basis.ts';
import { byPrecedence } from './precedence.ts';

export interface SecurityBars {
  /** The bars on the requested share basis, oldest first. */
  bars: AdjustedBar[];
  /** Time of the newest observation. */
  seenAt: Instant;
}

type BarTuple = [
  date: LocalDate,
  basisDate: LocalDate,
  open: string | null,
  high: string | null,
  low: string | null,
  close: string,
  volume: number | null,
];

/** First and last day of the range, both inclusive, and the day of the requested share basis. */
export interface BarSpan {
  from: LocalDate;
  to: LocalDate;
  basis: LocalDate;
}

/** Loads bars by security. Securities without bars are absent. */
export async function loadBars(
  db: Queryable,
  securityIds: readonly string[],
  { from, to, basis }: BarSpan,
): Promise<Map<string, SecurityBars>> {
  if (securityIds.length === 0) return new Map();
  // Returns one row per security with its bars as a single list, which is faster to read than one
  // row per bar.
  const rows = await db.query<{ id: string; bars: BarTuple[]; seen_at: Instant }>(
    `select id, max(observed_at) as seen_at,
            jsonb_agg(jsonb_build_array(date, basis_date, open::text, high::text, low::text,
                                        close::text, volume)) as bars
       from (${bestBars()}) best
      group by id`,
    [securityIds, from, to],
  );
  const splits = await loadSplits(
    db,
    rows.map(({ id }) => id),
  );
  return new Map(
    rows.map(({ id, bars, seen_at: seenAt }) => {
      const based = toCommonBasis(bars.map(toBar), splits.get(id) ?? [], basis);
      return [id, { bars: based, seenAt }];
    }),
  );
}

/**
 * Returns SQL that selects the preferred bar of each security and day, for the securities $1 from $2
 * to $3. `condition` is a further condition on a bar `b`.
 */
export function bestBars(condition = 'true'): string {
  return `select distinct on (n.security_id, b.date) n.security_id as id, b.*
            from ${barsUnderSymbols(condition)}
           where n.security_id = any($1::text[])
           order by n.security_id, b.date, ${byPrecedence('b')}, b.symbol`;
}

/**
 * Returns SQL for the symbols `n` of securities with their bars `b` from $2 to $3, or with at most
 * `limit` of them for each symbol. Uses index security_symbol_security and the primary key of
 * price_bar. Without the offset, a planner that has no statistics would scan all bars in the range.
 */
export function barsUnderSymbols(condition: string, limit = 'all'): string {
  return `security_symbol n
            join lateral (select * from price_bar b
                           where b.symbol = n.symbol and b.date between $2 and $3
                             and (n.valid_from is null or b.date >= n.valid_from)
                             and (n.valid_to is null or b.date <= n.valid_to)
                             and b.held is null and ${condition}
                          limit ${limit} offset 0) b on true`;
}

/**
 * Returns the newest complete session up to a day: one with at least half as many bars as the
 * fullest session of the preceding week. Returns null if there are no bars, or if no bar is newer
 * than `newerThan`; in the latter case no session can be newer, so the week's bars are not counted.
 */
export async function newestCompleteSession(
  db: Queryable,
  { newerThan = null, upTo = null }: { newerThan?: LocalDate | null; upTo?: LocalDate | null } = {},
): Promise<LocalDate | null> {
  // Returns one row. Uses index price_bar_by_date.
  const [newest] = await db.query<{ date: LocalDate | null }>(
    `select max(date) as date from price_bar
      where held is null and ($1::date is null or date <= $1)`,
    [upTo],
  );
  if (newest?.date == null || (newerThan !== null && newest.date <= newerThan)) return null;
  // Returns one row per session of the week. Uses index price_bar_by_date.
  const days = await db.query<{ date: LocalDate; bars: number }>(
    `select date, count(*)::int4 as bars from price_bar
      where date between $1 and $2 and held is null group by date order by date desc`,
    [addDays(newest.date, -7), newest.date],
  );
  const fullest = Math.max(...days.map(({ bars }) => bars));
  return days.find(({ bars }) => bars * 2 >= fullest)?.date ?? null;
}

function toBar([date, basisDate, open, high, low, close, volume]: BarTuple): BasedBar {
  return { date, basisDate, open, high, low, close, volume };
}
