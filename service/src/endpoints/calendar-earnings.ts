import { topics } from '../datasets/topics.gen.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadEarningsKeysBetween } from '../datasets/earnings/store.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { daysBetween } from '../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import { compareText } from '../platform/compare.ts';
import { formatInstant } from '../platform/instant.ts';
import { mapInSlices } from '../platform/slices.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint, EndpointContext, KnownGap, ParameterFault, Values } from './endpoint.ts';
import {
  alternativesFault,
  alternativesValidUntil,
  includeWithAlternatives,
  withAlternatives,
} from './rows/alternatives.ts';
import {
  type DateRange,
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
  isPublic,
  type PointInTime,
  pointInTimeOf,
  publicRangeFault,
  storeInstantOf,
  withPastReads,
} from './rows/past-reads.ts';
import { includes, securityEntityKeys, withProvenance } from './rows/provenance.ts';
import { pageOfReports, type ReportPage } from './rows/report-pages.ts';
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
const ROWS_PER_SLICE = 100;
/** Maximum number of days whose alternatives are derived, unless a limit or symbols are given. */
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
    '`limit` and `X-Total-Count` count reports. Pages take them by day and symbol, so a day may ' +
    'continue on the next page. ' +
    'With `asOf`, market capitalizations are null, because their history is not kept, and ' +
    'rows are sorted by symbol. Without `symbols`, a range with `include=alternatives` has at ' +
    `most ${ALTERNATIVE_DAYS_MAX} days or a \`limit\`, and one with \`known=public\` one day.`,
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
    ...eachDay(requestedDays(values)).map((day) => topics.earnings.date(day)),
    topics.bars.any,
    topics.quotes.any,
    topics.profiles.shares,
    topics.marketOverrides.any,
  ],
  // Market capitalizations are based on closes adjusted to today's shares, so a split may change
  // them at midnight.
  validUntil: (values, now) => alternativesValidUntil(values, now) ?? nextNewYorkMidnight(now),
  maxAgeSeconds: (values, now) => daysMaxAgeSeconds(requestedDays(values), now),
  async handle(values, { db, now, findStart = () => 0 }) {
    const point = pointInTimeOf(values, now);
    const market = marketCalendar((await loadMarketOverrides(db, point.at)).overrides);
    const context = { values, point, market };
    const page = await loadPage(db, context, findStart);
    if (page === null) return { kind: 'cursor-gone' };
    const days = eachDay(page.days);
    const rowsOf = Map.groupBy(await renderRows(db, page.reports, context), ({ date }) => date);
    const eventsOf = Map.groupBy(page.events, (event) => event.date);
    const body = days.map((day): EarningsDay => ({
      date: day,
      isTradingDay: market.isTradingDay(day),
      asOf: maybe(newestOf(eventsOf.get(day) ?? []), formatInstant),
      ...bucketsOf(rowsOf.get(day) ?? []),
    }));
    const { part, knownGaps } = page;
    const asOf = newestOf(days.flatMap((day) => eventsOf.get(day) ?? []));
    if (requestedRange(values) === null) return { kind: 'body', body: body[0], asOf, knownGaps };
    return { kind: 'body', body, part, asOf, knownGaps };
  },
});

/** Rejects a page with alternatives of more companies than one request may derive again. */
function alternativeDaysFault(values: Values): ParameterFault | null {
  if (!includes(values, 'alternatives') || values.symbols('symbols') !== null) return null;
  const range = requestedRange(values);
  const days = range === null ? 1 : daysBetween(range.from, range.to) + 1;
  if (days <= ALTERNATIVE_DAYS_MAX || values.integer('limit') !== null) return null;
  const detail =
    `With alternatives, a range without limit has at most ${ALTERNATIVE_DAYS_MAX} days: ` +
    'set limit, or name symbols.';
  return { code: 'invalid-parameter', parameter: 'include', detail };
}

interface CalendarContext {
  values: Values;
  point: PointInTime;
  market: MarketCalendar;
}

interface LoadedPage extends ReportPage<EarningsEvent> {
  /** All reports of the days of the page, also those on other pages. */
  events: readonly EarningsEvent[];
  knownGaps: KnownGap[];
}

/**
 * Loads a page, or null if its cursor is gone. One of several pages needs the keys of all reports,
 * and the reports of its own days.
 */
async function loadPage(
  db: Queryable,
  context: CalendarContext,
  findStart: NonNullable<EndpointContext['findStart']>,
): Promise<LoadedPage | null> {
  const { values, point } = context;
  const range = requestedDays(values);
  const limit = values.integer('limit') ?? Infinity;
  const request = { range, limit, findStart };
  if (limit === Infinity || isPublic(point)) {
    const { events, knownGaps } = await loadEvents(db, range, context);
    const page = pageOfReports(events, request);
    return page === null ? null : { ...page, events, knownGaps };
  }
  const keys = filterBySymbols(await loadEarningsKeysBetween(db, range, point.at), values);
  const page = pageOfReports(keys, request);
  if (page === null) return null;
  const ids = new Set(page.reports.map(({ id }) => id));
  const { events, knownGaps } = await loadEvents(db, page.days, context);
  return { ...page, reports: events.filter(({ id }) => ids.has(id)), events, knownGaps };
}

/** Loads the requested reports of consecutive days, and names what is missing about them. */
async function loadEvents(
  db: Queryable,
  days: DateRange,
  { values, point, market }: CalendarContext,
): Promise<{ events: readonly EarningsEvent[]; knownGaps: KnownGap[] }> {
  const query = { market, symbols: values.symbols('symbols') };
  const known = await loadKnownEarningsBetween(db, days, point, query);
  return {
    events: filterBySymbols(known.events, values),
    knownGaps: earningsGaps(point, known),
  };
}

/** Renders reports, with alternatives and provenance if requested. */
async function renderRows(
  db: Queryable,
  events: readonly EarningsEvent[],
  { values, point, market }: CalendarContext,
): Promise<EarningsRow[]> {
  const { at, today } = point;
  const closes = at === null ? await loadLastCloses(db, events, { today, market }) : null;
  const rows = await mapInSlices(events, ROWS_PER_SLICE, (slice) =>
    slice.map((event) =>
      renderEarningsRow(event, closes?.get(event.securityId)?.marketCap ?? null),
    ),
  );
  const entityKeysOf = securityEntityKeys(db, events, storeInstantOf(point));
  const query = { dataset: 'earnings', rows: events, fields: EARNINGS_SOURCES, entityKeysOf };
  const explained = await withAlternatives(db, values, { events, today }, rows);
  return withProvenance(db, values, query, explained);
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
