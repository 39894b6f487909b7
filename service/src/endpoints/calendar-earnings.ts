import { ANY_BARS_TOPIC } from '../datasets/bars/topics.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadMarketOverrides, MARKET_OVERRIDES_TOPIC } from '../datasets/market-overrides/store.ts';
import { SHARES_TOPIC } from '../datasets/profiles/store.ts';
import { QUOTES_TOPIC } from '../datasets/quotes/store.ts';
import { daysBetween, type LocalDate } from '../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import { compareText } from '../platform/compare.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint, KnownGap, ParameterFault, Values } from './endpoint.ts';
import {
  alternativesFault,
  alternativesValidUntil,
  includeWithAlternatives,
  withAlternatives,
} from './rows/alternatives.ts';
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
import { earningsGaps, loadKnownEarningsBetween } from './rows/known-earnings.ts';
import {
  type PointInTime,
  pointInTimeOf,
  publicRangeFault,
  storeInstantOf,
  withPastReads,
} from './rows/past-reads.ts';
import { includes, securityEntityKeys, withProvenance } from './rows/provenance.ts';
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
/** Maximum number of days of a page whose alternatives are derived, unless symbols are given. */
const ALTERNATIVE_DAYS_MAX = 7;

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
    'rows are sorted by symbol. A page with `include=alternatives` has at most ' +
    `${ALTERNATIVE_DAYS_MAX} days, and with \`known=public\` one day, unless \`symbols\` are ` +
    'given.',
  tag: 'earnings',
  parameters: [
    dateParameter,
    ...rangeParameters(DAYS_MAX),
    symbolsParameter,
    includeWithAlternatives,
  ],
  check: (values) =>
    dateOrRangeFault(values, DAYS_MAX) ??
    pagingFault(values) ??
    alternativesFault(values) ??
    alternativeDaysFault(values) ??
    publicRangeFault(values),
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
  datasets: ['earnings', 'bars', 'profiles'],
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
  validUntil: (values, now) => alternativesValidUntil(values, now) ?? nextNewYorkMidnight(now),
  maxAgeSeconds: (values, now) => daysMaxAgeSeconds(requestedDays(values), now),
  async handle(values, { db, now, findStart = () => 0 }) {
    const point = pointInTimeOf(values, now);
    const { at, today } = point;
    const allDays = eachDay(requestedDays(values)).map((day) => ({ id: day }));
    const start = findStart(allDays);
    if (start === null) return { kind: 'cursor-gone' };
    const days = allDays.slice(start, start + (values.integer('limit') ?? DAYS_MAX));
    const { overrides } = await loadMarketOverrides(db, at);
    const market = marketCalendar(overrides);
    const { events, knownGaps } = await loadDays(db, days, { values, point, market });
    const closes = at === null ? await loadLastCloses(db, events, { today, market }) : null;
    const bodies = events.map((event) =>
      renderEarningsRow(event, closes?.get(event.securityId)?.marketCap ?? null),
    );
    const entityKeysOf = securityEntityKeys(db, events, storeInstantOf(point));
    const query = { dataset: 'earnings', rows: events, fields: EARNINGS_SOURCES, entityKeysOf };
    const explained = await withAlternatives(db, values, { events, today }, bodies);
    const rows = await withProvenance(db, values, query, explained);
    const rowsOf = Map.groupBy(rows, (row) => row.date);
    const eventsOf = Map.groupBy(events, (event) => event.date);
    const body = days.map(({ id: day }): EarningsDay => ({
      date: day,
      isTradingDay: market.isTradingDay(day),
      asOf: maybe(newestOf(eventsOf.get(day) ?? []), formatInstant),
      ...bucketsOf(rowsOf.get(day) ?? []),
    }));
    const asOf = newestOf(events);
    if (requestedRange(values) === null) return { kind: 'body', body: body[0], asOf, knownGaps };
    return { kind: 'body', body, part: { rows: allDays, start }, asOf, knownGaps };
  },
});

/** Rejects a page with alternatives of more companies than one request may derive again. */
function alternativeDaysFault(values: Values): ParameterFault | null {
  if (!includes(values, 'alternatives') || values.symbols('symbols') !== null) return null;
  const range = requestedRange(values);
  const days = range === null ? 1 : daysBetween(range.from, range.to) + 1;
  if (Math.min(days, values.integer('limit') ?? days) <= ALTERNATIVE_DAYS_MAX) return null;
  const detail =
    `A page with alternatives has at most ${ALTERNATIVE_DAYS_MAX} days: ` +
    `set limit=${ALTERNATIVE_DAYS_MAX}, or name symbols.`;
  return { code: 'invalid-parameter', parameter: 'include', detail };
}

/** Loads the reports of consecutive days, and names what is missing about them. */
async function loadDays(
  db: Queryable,
  days: readonly { id: LocalDate }[],
  { values, point, market }: { values: Values; point: PointInTime; market: MarketCalendar },
): Promise<{ events: readonly EarningsEvent[]; knownGaps: KnownGap[] }> {
  const [from, to] = [days[0]?.id, days.at(-1)?.id];
  if (from === undefined || to === undefined) return { events: [], knownGaps: [] };
  const query = { market, symbols: values.symbols('symbols') };
  const known = await loadKnownEarningsBetween(db, { from, to }, point, query);
  return {
    events: filterBySymbols(known.events, values),
    knownGaps: earningsGaps(point, known),
  };
}

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
