import type { AdjustedBar } from '../../domain/daily-bar.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadSplits } from '../splits/store.ts';
import { type BasedBar, toCommonBasis } from './common-basis.ts';
import { byPrecedence } from './precedence.ts';

export interface SecurityBars {
  /** On the share basis asked for, oldest first. */
  bars: AdjustedBar[];
  /** Newest observation among them. */
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

/** Days, both included, and the one on whose share basis the bars are wanted. */
export interface BarSpan {
  from: LocalDate;
  to: LocalDate;
  basis: LocalDate;
}

/** The bars that stand in the span, by security; one without bars is left out. */
export async function loadBars(
  db: Queryable,
  securityIds: readonly string[],
  { from, to, basis }: BarSpan,
): Promise<Map<string, SecurityBars>> {
  if (securityIds.length === 0) return new Map();
  // One row a security, its bars as one list: a row each takes longer to read. By index
  // security_symbol_security and the primary key of price_bar; the offset keeps a planner without
  // figures from going through all bars of the span.
  const rows = await db.query<{ id: string; bars: BarTuple[]; seen_at: Instant }>(
    `select id, max(observed_at) as seen_at,
            jsonb_agg(jsonb_build_array(date, basis_date, open::text, high::text, low::text,
                                        close::text, volume)) as bars
       from (select distinct on (n.security_id, b.date) n.security_id as id, b.*
               from security_symbol n
               join lateral (select * from price_bar b
                              where b.symbol = n.symbol and b.date between $2 and $3
                                and (n.valid_from is null or b.date >= n.valid_from)
                                and (n.valid_to is null or b.date <= n.valid_to)
                                and b.held is null
                             offset 0) b on true
              where n.security_id = any($1::text[])
              order by n.security_id, b.date, ${byPrecedence('b')}, b.symbol) best
      group by id`,
    [securityIds, from, to],
  );
  const splits = await loadSplits(
    db,
    rows.map(({ id }) => id),
  );
  return new Map(
    rows.map(({ id, bars, seen_at: seenAt }) => {
      const upTo = (splits.get(id) ?? []).filter(({ date }) => date <= basis);
      return [id, { bars: toCommonBasis(bars.map(toBar), upTo), seenAt }];
    }),
  );
}

/**
 * The newest session of which the bars are in: it has at least half as many as the fullest of the
 * week before. Null in a store without bars, and when no bar is newer than `known`: then neither is
 * any session, which is told without counting the bars of a week.
 */
export async function newestCompleteSession(
  db: Queryable,
  known: LocalDate | null = null,
): Promise<LocalDate | null> {
  // One row; by index price_bar_by_date.
  const [newest] = await db.query<{ date: LocalDate | null }>(
    `select max(date) as date from price_bar where held is null`,
  );
  if (newest?.date == null || (known !== null && newest.date <= known)) return null;
  // A row a session of the week; by index price_bar_by_date.
  const days = await db.query<{ date: LocalDate; bars: number }>(
    `select date, count(*)::int4 as bars from price_bar
      where date >= $1 and held is null group by date order by date desc`,
    [addDays(newest.date, -7)],
  );
  const fullest = Math.max(...days.map(({ bars }) => bars));
  return days.find(({ bars }) => bars * 2 >= fullest)?.date ?? null;
}

function toBar([date, basisDate, open, high, low, close, volume]: BarTuple): BasedBar {
  return { date, basisDate, open, high, low, close, volume };
}
