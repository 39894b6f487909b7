import { ANY_BARS_TOPIC } from '../datasets/bars/topics.ts';
import { loadEarningsBetween } from '../datasets/earnings/store.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadMarketOverrides, MARKET_OVERRIDES_TOPIC } from '../datasets/market-overrides/store.ts';
import { SHARES_TOPIC } from '../datasets/profiles/store.ts';
import { QUOTES_TOPIC } from '../datasets/quotes/store.ts';
import type { LocalDate } from '../domain/local-date.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import { compareText } from '../platform/compare.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Endpoint } from './endpoint.ts';
import {
  dateParameter,
  requestedDays,
  dateOrRangeFault,
  daysMaxAgeSeconds,
  eachDay,
  pagingFault,
  requestedRange,
  rangeParameters,
} from './rows/date-range.ts';
import { scheduledExample } from './rows/earnings-examples.ts';
import {
  EARNINGS_SOURCES,
  type EarningsRow,
  earningsRow,
  maybe,
  renderEarningsRow,
} from './rows/earnings-row.ts';
import { loadLastCloses } from './rows/last-closes.ts';
import { pointInTimeOf, withPastReads } from './rows/past-reads.ts';
import { includeParameter, securityEntityKeys, withProvenance } from './rows/provenance.ts';
import { filterBySymbols, symbolsParameter } from './rows/symbol-filter.ts';
import {
  type BodyOf,
  date,
  either,
  flag,
  instant,
  list,
  named,
  nullable,
} from './schema/fields.ts';

const DAYS_MAX = 92;

const earningsDay = named('EarningsCalendar', {
  date: date('New York day.'),
  isTradingDay: flag('True if the U.S. stock market trades on that day.'),
  asOf: nullable(instant('Time of the newest observation that changed this day.')),
  pre: list(earningsRow, 'Before the open.'),
  after: list(earningsRow, 'After the close.'),
  notSupplied: list(earningsRow, 'Session not supplied, or during market hours.'),
});

type EarningsDay = BodyOf<typeof earningsDay>;

export const endpoint: Endpoint = withPastReads({
  name: 'calendar-earnings',
  path: '/v1/calendar/earnings',
  summary: 'Earnings calendar',
  describe:
    'Companies that report on a New York day, grouped by session: before the open, after the ' +
    'close, and unknown or during trading hours. Sorted by market capitalization, largest ' +
    'first. A weekend or holiday returns 200 with `isTradingDay: false`. With `from` and ' +
    `\`to\` instead of \`date\`, an array of every day of a range of up to ${DAYS_MAX} days. ` +
    'With `asOf`, market capitalizations are null, because their history is not kept, and ' +
    'rows are sorted by symbol.',
  tag: 'earnings',
  parameters: [dateParameter, ...rangeParameters(DAYS_MAX), symbolsParameter, includeParameter],
  check: (values) => dateOrRangeFault(values, DAYS_MAX) ?? pagingFault(values),
  response: either(earningsDay, list(earningsDay, 'Days of the range, ascending.')),
  example: {
    date: '2026-11-20',
    isTradingDay: true,
    asOf: '2026-11-12T21:40:00Z',
    pre: [scheduledExample],
    after: [],
    notSupplied: [],
  },
  buckets: ['pre', 'after', 'notSupplied'],
  rowKey: ['date'],
  historicalAccess: true,
  firstDay: (values) => requestedDays(values).from,
  topics: (values) => [
    ...eachDay(requestedDays(values)).map((day) => `earnings:date:${day}`),
    ANY_BARS_TOPIC,
    QUOTES_TOPIC,
    SHARES_TOPIC,
    MARKET_OVERRIDES_TOPIC,
  ],
  // Market capitalizations are based on closes adjusted to today's shares, so a split may change
  // them at midnight.
  validUntil: (_, now) => nextNewYorkMidnight(now),
  maxAgeSeconds: (values, now) => daysMaxAgeSeconds(requestedDays(values), now),
  async handle(values, { db, now }) {
    const { at, today } = pointInTimeOf(values, now);
    const days = requestedDays(values);
    const events = filterBySymbols(await loadEarningsBetween(db, days, at), values);
    const { overrides } = await loadMarketOverrides(db, at);
    const market = marketCalendar(overrides);
    const closes = at === null ? await loadLastCloses(db, events, { today, market }) : null;
    const bodies = events.map((event) =>
      renderEarningsRow(event, closes?.get(event.securityId)?.marketCap ?? null),
    );
    const entityKeysOf = securityEntityKeys(db, events, at);
    const query = { dataset: 'earnings', rows: events, fields: EARNINGS_SOURCES, entityKeysOf };
    const rows = await withProvenance(db, values, query, bodies);
    const rowsOf = Map.groupBy(rows, (row) => row.date);
    const eventsOf = Map.groupBy(events, (event) => event.date);
    const bodyOf = (day: LocalDate): EarningsDay => ({
      date: day,
      isTradingDay: market.isTradingDay(day),
      asOf: maybe(newestOf(eventsOf.get(day) ?? []), formatInstant),
      ...bucketsOf(rowsOf.get(day) ?? []),
    });
    const body = requestedRange(values) === null ? bodyOf(days.from) : eachDay(days).map(bodyOf);
    return { kind: 'body', body, asOf: newestOf(events) };
  },
});

function newestOf(events: readonly EarningsEvent[]): number | null {
  return events.length === 0 ? null : Math.max(...events.map((event) => event.updatedAt));
}

function bucketsOf(
  rows: readonly EarningsRow[],
): Pick<EarningsDay, 'pre' | 'after' | 'notSupplied'> {
  const sorted = rows.toSorted(byMarketCap);
  return {
    pre: sorted.filter(({ time }) => time === 'time-pre-market'),
    after: sorted.filter(({ time }) => time === 'time-after-hours'),
    notSupplied: sorted.filter(
      ({ time }) => time === 'time-not-supplied' || time === 'time-during-market',
    ),
  };
}

/**
 * Sorts by market capitalization with unknown values last, then by symbol and ID so that the order
 * is always the same.
 */
function byMarketCap(a: EarningsRow, b: EarningsRow): number {
  return (
    (b.marketCap ?? -1) - (a.marketCap ?? -1) ||
    compareText(a.symbol, b.symbol) ||
    compareText(a.id, b.id)
  );
}
