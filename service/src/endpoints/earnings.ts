import { topics } from '../datasets/topics.gen.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import type { Security } from '../datasets/securities/row.ts';
import type { LocalDate } from '../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import { compareText } from '../platform/compare.ts';
import type { Instant } from '../platform/instant.ts';
import { mapInSlices } from '../platform/slices.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint } from './endpoint.ts';
import {
  alternativesFault,
  alternativesValidUntil,
  includeWithAlternatives,
  withAlternatives,
} from './rows/alternatives.ts';
import {
  companyEarningsRow,
  type CompanyEarningsRow,
  renderCompanyEarnings,
} from './rows/company-earnings-row.ts';
import { estimatesExample, reportedExample } from './rows/earnings-examples.ts';
import { EARNINGS_SOURCES } from './rows/earnings-row.ts';
import { type LastClose, loadLastCloses } from './rows/last-closes.ts';
import { earningsGaps, loadKnownEarnings } from './rows/known-earnings.ts';
import { pointInTimeOf, storeInstantOf, withPastReads } from './rows/past-reads.ts';
import { securityEntityKeys, withProvenance } from './rows/provenance.ts';
import {
  companySymbolsParameter,
  findRequested,
  requestedSymbols,
  symbolOrSymbolsFault,
} from './rows/requested-companies.ts';
import { list } from './schema/fields.ts';

/** Maximum number of upcoming reports: one per quarter for a year. */
const AHEAD_MAX = 4;
const ROWS_PER_SLICE = 100;

export const endpoint: Endpoint = withPastReads({
  name: 'earnings',
  path: '/v1/earnings',
  summary: 'Company earnings',
  describe:
    'All known earnings reports of one symbol, newest first, including upcoming ones (at ' +
    'most four quarters ahead). A known symbol without reports returns an empty array. With ' +
    '`symbols` instead of `symbol`, the reports of several companies in one array, sorted by ' +
    'symbol and newest first within each; the header `X-Unknown-Symbols` names symbols that ' +
    'no security has. With `asOf`, market capitalizations are null, because their history is ' +
    'not kept.',
  tag: 'earnings',
  parameters: [
    {
      name: 'symbol',
      in: 'query',
      kind: 'symbol',
      required: false,
      requiredUnless: ['symbols'],
      describe: 'Ticker symbol, such as `AAPL` or `BRK.B`. Required unless `symbols` is given.',
    },
    companySymbolsParameter,
    includeWithAlternatives,
  ],
  response: list(companyEarningsRow, 'Reports, by symbol and newest first.'),
  example: [
    {
      ...reportedExample,
      epsSurprise: 0.05,
      epsSurprisePercent: 3.8168,
      revenueSurprise: 11500000,
      revenueSurprisePercent: 1.4557,
      epsOutcome: 'beat',
      revenueOutcome: 'beat',
      estimateAsOf: '2026-08-19T00:10:00Z',
      revenueEstimateAsOf: '2026-08-19T00:10:00Z',
      ...estimatesExample,
      splitFactor: 1,
      sourceUrl: null,
    } satisfies CompanyEarningsRow,
  ],
  datasets: ['earnings', 'bars'],
  historicalAccess: true,
  topics: (values) => [
    ...requestedSymbols(values).flatMap((symbol) => [
      topics.earnings.symbol(symbol),
      topics.securities.symbol(symbol),
      // The profile affects the market capitalization.
      topics.profiles.symbol(symbol),
      topics.bars.symbol(symbol),
    ]),
    topics.bars.all,
    topics.marketOverrides.any,
  ],
  check: (values) => symbolOrSymbolsFault(values) ?? alternativesFault(values),
  validUntil: (values, now) => alternativesValidUntil(values, now) ?? nextNewYorkMidnight(now),
  maxAgeSeconds: () => 300,
  async handle(values, { db, now, historyFrom = null }) {
    const point = pointInTimeOf(values, now);
    const { at, today } = point;
    const found = await findRequested(db, values, point);
    if ('kind' in found) return found;
    const { securities, unknown } = found;
    const market = marketCalendar((await loadMarketOverrides(db, at)).overrides);
    const known = await loadKnownEarnings(db, securities, point, market);
    const { events } = known;
    const allowed = events.filter(({ date }) => historyFrom === null || date >= historyFrom);
    const closes = at === null ? await loadCloses(db, securities, { today, market }) : null;
    const bySecurity = Map.groupBy(allowed, ({ securityId }) => securityId);
    const rows = securities.flatMap(({ id }) => limitUpcoming(bySecurity.get(id) ?? [], today));
    const bodies = await mapInSlices(rows, ROWS_PER_SLICE, (slice) =>
      slice.map((event) =>
        renderCompanyEarnings(event, closes?.get(event.securityId)?.marketCap ?? null),
      ),
    );
    const entityKeysOf = securityEntityKeys(db, rows, storeInstantOf(point));
    const query = { dataset: 'earnings', rows, fields: EARNINGS_SOURCES, entityKeysOf };
    const explained = await withAlternatives(db, values, { events: rows, today }, bodies);
    return {
      kind: 'body',
      body: await withProvenance(db, values, query, explained),
      asOf: rows.length === 0 ? null : Math.max(...rows.map(observedAt)),
      historyLimited: allowed.length < events.length,
      knownGaps: earningsGaps(point, known),
      unknownSymbols: unknown,
    };
  },
});

/** Returns the time of the last change in a row, including means and revisions of its estimates. */
function observedAt({ updatedAt, provenance }: EarningsEvent): Instant {
  return Math.max(
    updatedAt,
    provenance['estimates.eps']?.seenAt ?? 0,
    provenance['estimates.revenue']?.seenAt ?? 0,
  );
}

function loadCloses(
  db: Queryable,
  securities: readonly Security[],
  context: { today: LocalDate; market: MarketCalendar },
): Promise<Map<string, LastClose>> {
  const listed = securities.map(({ id, symbol }) => ({ securityId: id, symbol }));
  return loadLastCloses(db, listed, context);
}

/** Sorts reports newest first and keeps at most four upcoming ones. */
function limitUpcoming(events: readonly EarningsEvent[], today: LocalDate): EarningsEvent[] {
  const sorted = events.toSorted((a, b) => compareText(b.date, a.date) || compareText(a.id, b.id));
  const ahead = sorted.filter(({ date, dateStatus }) => date > today && dateStatus !== 'reported');
  const tooFar = new Set(ahead.slice(0, Math.max(0, ahead.length - AHEAD_MAX)));
  return sorted.filter((event) => !tooFar.has(event));
}
