import { topics } from '../datasets/topics.gen.ts';
import { hasDailyBars, loadDailyBars, type SourcedBar } from '../datasets/bars/daily-bars.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { loadUrlsOfResponses } from '../datasets/responses/store.ts';
import { addDays, localDate } from '../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import { closeAt } from '../domain/market/market-day.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint, EndpointContext, EndpointResponse, Values } from './endpoint.ts';
import {
  dailyBar,
  dailyBarExample,
  type DailyBarRow,
  renderDailyBar,
  withBarSource,
} from './rows/daily-bar-row.ts';
import { findSecurity } from './rows/find-security.ts';
import { pointInTimeOf, withPastPriceReads } from './rows/past-reads.ts';
import { lastClosedSession } from './rows/price-context.ts';
import { includeParameter, includes } from './rows/provenance.ts';
import { list } from './schema/fields.ts';

const FIRST_DAY = localDate('1900-01-01');

/**
 * Creates the endpoint without the bars of some sources, for a service that may not show them to
 * others.
 */
export function barsEndpoint(withoutSources: readonly string[]): Endpoint {
  return withPastPriceReads({
    name: 'bars',
    path: '/v1/bars',
    summary: 'Daily prices and volume',
    describe:
      "Daily bars of one symbol, oldest first: regular sessions, adjusted for splits to today's " +
      'shares, and as traded. Dividends are not adjusted for. The history continues across ' +
      'changes of the symbol. Sessions without trades are omitted. With `asOf`, the sessions ' +
      'that had closed by then, in shares of that day; bars have no versions, so corrections are ' +
      'included.',
    tag: 'market',
    parameters: [
      {
        name: 'symbol',
        in: 'query',
        kind: 'symbol',
        required: true,
        describe: 'Ticker symbol, such as `AAPL` or `BRK.B`.',
      },
      {
        name: 'from',
        in: 'query',
        kind: 'date',
        required: false,
        describe: 'First day; by default, that of the oldest bar.',
      },
      {
        name: 'to',
        in: 'query',
        kind: 'date',
        required: false,
        describe: 'Last day, included; by default, that of the newest bar.',
      },
      includeParameter,
    ],
    check: rangeFault,
    response: list(dailyBar, 'Sessions, oldest first.'),
    example: [dailyBarExample],
    rowKey: ['date'],
    datasets: ['bars'],
    historicalAccess: true,
    topics: (values) => [
      topics.securities.symbol(values.symbol('symbol')),
      // Bars may arrive under a former symbol, which the topic of the current one does not cover.
      topics.bars.any,
      topics.marketOverrides.any,
    ],
    // A known future split changes all prices on the day it takes effect.
    validUntil: (_, now) => nextNewYorkMidnight(now),
    maxAgeSeconds: () => 300,
    handle: (values, context) => respond(values, context, withoutSources),
  });
}

export const endpoint: Endpoint = barsEndpoint([]);

function rangeFault(values: Values): ReturnType<NonNullable<Endpoint['check']>> {
  const [from, to] = [values.maybeDate('from'), values.maybeDate('to')];
  if (from === null || to === null || from <= to) return null;
  const detail = 'The range ends before it begins.';
  return { code: 'invalid-parameter', parameter: 'to', detail };
}

async function respond(
  values: Values,
  { db, now, historyFrom = null }: EndpointContext,
  withoutSources: readonly string[],
): Promise<EndpointResponse> {
  const point = pointInTimeOf(values, now);
  const { at, today } = point;
  const security = await findSecurity(db, values.symbol('symbol'), point);
  if ('kind' in security) return security;
  const market = marketCalendar((await loadMarketOverrides(db, at)).overrides);
  const last = at === null ? today : lastClosedSession(market, at);
  const from = values.maybeDate('from') ?? FIRST_DAY;
  const requestedTo = values.maybeDate('to') ?? last;
  const to = requestedTo < last ? requestedTo : last;
  const visibleFrom = historyFrom !== null && historyFrom > from ? historyFrom : from;
  const span = { from: visibleFrom, to, basis: today };
  const bars = await loadDailyBars(db, security.id, span, withoutSources);
  const omitted = { from, to: addDays(visibleFrom, -1) };
  return {
    kind: 'body',
    body: await renderBars(db, values, bars, security.symbol),
    historyLimited:
      visibleFrom > from && (await hasDailyBars(db, security.id, omitted, withoutSources)),
    asOf: seenAt(bars, market, at),
  };
}

async function renderBars(
  db: Queryable,
  values: Values,
  bars: readonly SourcedBar[],
  symbol: string,
): Promise<DailyBarRow[]> {
  const rows = bars.map((bar) => renderDailyBar(bar, symbol));
  if (!includes(values, 'provenance')) return rows;
  const urls = await loadUrlsOfResponses(
    db,
    bars.map(({ responseId }) => responseId),
  );
  return rows.map((row, i) => {
    const bar = bars[i];
    return bar === undefined ? row : withBarSource(row, bar, urls.get(bar.responseId) ?? null);
  });
}

/**
 * Returns the time of the newest observation, or, at a past instant, the close of the newest
 * session, because the response does not depend on when the bars arrived.
 */
function seenAt(
  bars: readonly SourcedBar[],
  market: MarketCalendar,
  at: Instant | null,
): Instant | null {
  const last = bars.at(-1);
  if (last === undefined) return null;
  if (at !== null) return closeAt(market.day(last.adjusted.date));
  return bars.reduce((newest, bar) => Math.max(newest, bar.seenAt), 0);
}
