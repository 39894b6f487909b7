import { topics } from '../datasets/topics.gen.ts';
import { loadPublicDividends, type PublicDividends } from '../datasets/dividends/load-public.ts';
import type { Dividend } from '../datasets/dividends/row.ts';
import { loadDividendsBetween } from '../datasets/dividends/store.ts';
import { splitAdjusted } from '../datasets/dividends/split-adjusted.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { loadSplits } from '../datasets/splits/store.ts';
import {
  type Decimal,
  decimalToNumber,
  divideDecimals,
  multiplyDecimals,
} from '../domain/decimal.ts';
import { addDays, type LocalDate } from '../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import { compareText } from '../platform/compare.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint } from './endpoint.ts';
import { type DateRange, requestedRange, rangeFault, rangeParameters } from './rows/date-range.ts';
import {
  DIVIDEND_SOURCES,
  type DividendRow,
  dividendRow,
  renderDividend,
} from './rows/dividend-row.ts';
import { maybe } from './rows/earnings-row.ts';
import { loadLastCloses } from './rows/last-closes.ts';
import {
  gapsAt,
  isPublic,
  type PointInTime,
  pointInTimeOf,
  storeInstantOf,
  withPastReads,
} from './rows/past-reads.ts';
import { includeParameter, securityEntityKeys, withProvenance } from './rows/provenance.ts';
import { filterBySymbols, symbolsParameter } from './rows/symbol-filter.ts';
import { exampleCompany } from './rows/example-company.ts';
import { list } from './schema/fields.ts';

const DAYS_AHEAD = 90;
const DAYS_MAX = 400;

export const endpoint: Endpoint = withPastReads({
  name: 'calendar-dividends',
  path: '/v1/calendar/dividends',
  summary: 'Upcoming dividends',
  describe:
    `Dividends with an ex-date of today in New York or within the next ${DAYS_AHEAD} days, ` +
    'sorted by ex-date, symbol and type. An ordinary U.S. cash dividend is only included if ' +
    'its dates are in order. With `from` and `to`, dividends with an ex-date in that range.',
  tag: 'calendars',
  parameters: [...rangeParameters(DAYS_MAX), symbolsParameter, includeParameter],
  check: (values) => rangeFault(values, DAYS_MAX),
  response: list(dividendRow, 'Dividends, by ex-date.'),
  example: [
    {
      id: 'div_5b0c9e2f7a1d4c3896e0',
      symbol: exampleCompany.symbol,
      name: exampleCompany.name,
      exDate: '2026-11-27',
      recordDate: '2026-11-27',
      paymentDate: '2026-12-15',
      declarationDate: '2026-11-05',
      amount: 0.42,
      splitAdjustedAmount: 0.42,
      currency: 'USD',
      type: 'cash',
      frequency: 'quarterly',
      annualizedAmount: 1.68,
      yield: 1.1802,
      status: 'declared',
      flags: [],
      updatedAt: '2026-11-05T21:10:00Z',
    } satisfies DividendRow,
  ],
  datasets: ['dividends', 'bars'],
  historicalAccess: false,
  topics: () => [
    topics.dividends.any,
    topics.quotes.any,
    topics.bars.any,
    topics.marketOverrides.any,
  ],
  validUntil: (_, now) => nextNewYorkMidnight(now),
  maxAgeSeconds: () => 900,
  async handle(values, { db, now }) {
    const point = pointInTimeOf(values, now);
    const { at, today } = point;
    const days = requestedRange(values) ?? { from: today, to: addDays(today, DAYS_AHEAD) };
    const market = marketCalendar((await loadMarketOverrides(db, at)).overrides);
    const { dividends, recordedSince } = await loadDividends(db, days, point, market);
    const rows = filterBySymbols(dividends, values).toSorted(byExDate);
    // Yields are based on today's price, which is not meaningful for past dividends.
    const upcoming = at === null ? rows.filter(({ exDate }) => exDate >= today) : [];
    const closes = await loadLastCloses(db, upcoming, { today, market });
    const splits = at === null ? await loadSplits(db, securitiesBefore(rows, today)) : null;
    const bodies = rows.map((dividend) =>
      render(dividend, {
        price: dividend.exDate < today ? null : (closes.get(dividend.securityId)?.price ?? null),
        toTodaysShares(amount) {
          const { exDate, securityId } = dividend;
          if (exDate >= today) return amount;
          return splits && splitAdjusted(amount, exDate, splits.get(securityId) ?? [], today);
        },
      }),
    );
    const entityKeysOf = securityEntityKeys(db, rows, storeInstantOf(point));
    const query = { dataset: 'dividends', rows, fields: DIVIDEND_SOURCES, entityKeysOf };
    return {
      kind: 'body',
      body: await withProvenance(db, values, query, bodies),
      asOf: rows.length === 0 ? null : Math.max(...rows.map(({ updatedAt }) => updatedAt)),
      knownGaps: gapsAt(point, ['dividends'], recordedSince),
    };
  },
});

async function loadDividends(
  db: Queryable,
  days: DateRange,
  point: PointInTime,
  market: MarketCalendar,
): Promise<PublicDividends> {
  if (isPublic(point)) return loadPublicDividends(db, days, { at: point.at, market });
  return { dividends: await loadDividendsBetween(db, days, point.at), recordedSince: null };
}

/** Returns the securities with past dividends, whose amounts later splits may affect. */
function securitiesBefore(dividends: readonly Dividend[], today: LocalDate): string[] {
  const past = dividends.filter(({ exDate }) => exDate < today);
  return [...new Set(past.map(({ securityId }) => securityId))];
}

interface CurrentFacts {
  /** Last close; null if it is unknown or the ex-date has passed. */
  price: Decimal | null;
  /**
   * Converts an amount per share to today's share basis. Returns null if the split history is
   * unknown.
   */
  toTodaysShares(amount: Decimal): Decimal | null;
}

function render(
  dividend: Dividend,
  { price, toTodaysShares: inShares }: CurrentFacts,
): DividendRow {
  return {
    ...renderDividend(dividend),
    splitAdjustedAmount: maybe(maybe(dividend.amount, inShares), decimalToNumber),
    yield: yieldOf(dividend, price),
  };
}

/**
 * Returns the annualized amount as a percentage of the last close. Returns null unless the dividend
 * is in dollars, the currency of all prices.
 */
function yieldOf({ annualizedAmount, currency }: Dividend, price: Decimal | null): number | null {
  if (annualizedAmount === null || price === null || currency !== 'USD') return null;
  const ofHundred = multiplyDecimals(annualizedAmount, '100');
  return maybe(divideDecimals(ofHundred, price, 4), decimalToNumber);
}

/** Sorts by ex-date, symbol and type, then by ID so that the order is always the same. */
function byExDate(a: Dividend, b: Dividend): number {
  return (
    compareText(a.exDate, b.exDate) ||
    compareText(a.symbol, b.symbol) ||
    compareText(a.type, b.type) ||
    compareText(a.id, b.id)
  );
}
