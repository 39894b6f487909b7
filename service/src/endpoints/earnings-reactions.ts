import { topics } from '../datasets/topics.gen.ts';
import { loadBars, newestCompleteSession } from '../datasets/bars/load.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import { deriveReactions } from '../domain/reaction.ts';
import { compareText } from '../platform/compare.ts';
import type { Instant } from '../platform/instant.ts';
import type { Endpoint } from './endpoint.ts';
import { findSecurity } from './rows/find-security.ts';
import { earningsGaps, loadKnownEarnings } from './rows/known-earnings.ts';
import { pointInTimeOf, withPastPriceReads } from './rows/past-reads.ts';
import { lastClosedSession, pricesSeenAt } from './rows/price-context.ts';
import { reactionsExample } from './rows/reactions-example.ts';
import { earningsReaction, type ReactionsRow, renderReactions } from './rows/reactions-row.ts';
import { list } from './schema/fields.ts';

/**
 * Number of sessions to load before a report to compute its average volume. Some of them may have
 * no bar.
 */
const SESSIONS_BEFORE = 35;
const ROWS_DEFAULT = 12;

export const endpoint: Endpoint = withPastPriceReads({
  name: 'earnings-reactions',
  path: '/v1/earnings-reactions',
  summary: 'Company earnings surprises and price reactions',
  describe:
    'Reported events of one symbol, newest first: those with results or a filing. Results ' +
    'are compared with consensus and with the year before; price and volume are given for up ' +
    'to ten sessions after the news. Prices are adjusted for splits, but not for dividends. ' +
    '`reactionBasis` names the evidence for the first session. An event whose first session is ' +
    'not over has `reactions: []`.',
  tag: 'earnings',
  parameters: [
    {
      name: 'symbol',
      in: 'query',
      kind: 'symbol',
      required: true,
      describe: 'Ticker symbol, such as `AAPL` or `BRK.B`.',
    },
    {
      name: 'limit',
      in: 'query',
      kind: 'integer',
      required: false,
      min: 1,
      max: 100,
      default: ROWS_DEFAULT,
      describe: 'Maximum number of events.',
    },
  ],
  response: list(earningsReaction, 'Reported events, newest first.'),
  example: [reactionsExample satisfies ReactionsRow],
  datasets: ['earnings', 'bars'],
  historicalAccess: true,
  topics: (values) => [
    topics.earnings.symbol(values.symbol('symbol')),
    topics.securities.symbol(values.symbol('symbol')),
    topics.bars.any,
    topics.marketOverrides.any,
  ],
  // Prices are in today's shares, so a known future split changes them on the day it takes effect.
  validUntil: (_, now) => nextNewYorkMidnight(now),
  maxAgeSeconds: () => 300,
  async handle(values, { db, now, historyFrom = null, findStart = () => 0 }) {
    const point = pointInTimeOf(values, now);
    const { at, today } = point;
    const security = await findSecurity(db, values.symbol('symbol'), point);
    if ('kind' in security) return security;
    const market = marketCalendar((await loadMarketOverrides(db, at)).overrides);
    const known = await loadKnownEarnings(db, [security], point, market);
    const { events } = known;
    const reported = events
      .filter(({ dateStatus }) => dateStatus === 'reported')
      .toSorted(newestFirst);
    const allowed = reported.filter(({ date }) => historyFrom === null || date >= historyFrom);
    const start = findStart(allowed);
    if (start === null) return { kind: 'cursor-gone' };
    const limit = values.integer('limit') ?? ROWS_DEFAULT;
    const page = allowed.slice(start, start + limit);
    const oldest = page.at(-1)?.date ?? today;
    const from = market.addTradingDays(oldest, -SESSIONS_BEFORE);
    // The store only contains bars for completed sessions.
    const to = at === null ? today : lastClosedSession(market, at);
    const prices = (await loadBars(db, [security.id], { from, to, basis: today })).get(security.id);
    const newest = prices?.bars.at(-1)?.date ?? oldest;
    const session = await newestCompleteSession(db, { newerThan: newest, upTo: to });
    const lastCompletedSession = session !== null && session > newest ? session : newest;
    const priceData = { bars: prices?.bars ?? [], lastCompletedSession };
    return {
      kind: 'body',
      body: page.map((event) =>
        renderReactions(
          event,
          yearBefore(event, events),
          deriveReactions(event, market, priceData),
        ),
      ),
      part: { rows: allowed, start },
      historyLimited: allowed.length < reported.length,
      asOf: newestOf([
        ...page.map(({ updatedAt }) => updatedAt),
        pricesSeenAt(prices === undefined ? [] : [prices], { market }, point) ?? 0,
      ]),
      knownGaps: earningsGaps(point, known),
    };
  },
});

function newestOf(instants: readonly Instant[]): Instant | null {
  return Math.max(0, ...instants) || null;
}

/**
 * Finds the report for the same fiscal quarter a year earlier, unless it is in a different
 * currency.
 */
function yearBefore(
  { fiscalYear, fiscalQuarter, currency }: EarningsEvent,
  events: readonly EarningsEvent[],
): EarningsEvent | null {
  if (fiscalYear === null || fiscalQuarter === null) return null;
  const match = events.find(
    (other) => other.fiscalYear === fiscalYear - 1 && other.fiscalQuarter === fiscalQuarter,
  );
  return match?.currency === currency ? match : null;
}

function newestFirst(a: EarningsEvent, b: EarningsEvent): number {
  return compareText(b.date, a.date) || compareText(a.id, b.id);
}
