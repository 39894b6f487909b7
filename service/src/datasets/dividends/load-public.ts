import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadSecuritiesBySymbol } from '../securities/store.ts';
import { firstObservedAt } from '../source-records/public-time.ts';
import { deriveDividends } from './derive.ts';
import { loadDividendInputs } from './load-inputs.ts';
import type { Dividend } from './row.ts';

export interface PublicDividends {
  dividends: Dividend[];
  /** Time of the first observation about these securities; null if there is none. */
  recordedSince: Instant | null;
}

/**
 * Derives the dividends with an ex-date between two days, both inclusive, from what was public at
 * an instant.
 */
export async function loadPublicDividends(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  { at, market }: { at: Instant; market: MarketCalendar },
): Promise<PublicDividends> {
  // Returns one row per symbol with a dividend in the range. Uses index source_record_by_day.
  const rows = await db.query<{ subject: string }>(
    `select distinct subject from source_record
      where dataset = 'dividends' and dataset in ('earnings', 'dividends')
        and coalesce(fields ->> 'exDate', fields ->> 'date') between $1::text and $2::text`,
    [from, to],
  );
  const symbols = rows.map(({ subject }) => subject);
  const securities = await loadSecuritiesBySymbol(db, symbols);
  const { inputs, stored } = await loadDividendInputs(db, securities, market, at);
  const dividends = [...inputs.values()].flatMap((input) => deriveDividends(input).dividends);
  return {
    dividends: dividends.filter(({ exDate }) => exDate >= from && exDate <= to),
    recordedSince: firstObservedAt(stored),
  };
}
