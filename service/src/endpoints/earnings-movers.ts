import { topics } from '../datasets/topics.gen.ts';
import { daysWithoutBars, securitiesWithoutBarsSince } from '../datasets/bars/gaps.ts';
import { loadBars } from '../datasets/bars/load.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadEarningsBetween } from '../datasets/earnings/store.ts';
import type { AdjustedBar } from '../domain/daily-bar.ts';
import { addDays, type LocalDate } from '../domain/local-date.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import { deriveMovers, type MoverCandidate, type MoverFilter } from '../domain/mover.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import { formatInstant, type Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint, KnownGap, Values } from './endpoint.ts';
import { maybe } from './rows/earnings-row.ts';
import { type LastClose, loadLastCloses } from './rows/last-closes.ts';
import { moversBody, renderMover } from './rows/movers-row.ts';
import { moversExample } from './rows/movers-example.ts';
import {
  earningsGaps,
  type KnownEarnings,
  loadKnownEarningsBetween,
} from './rows/known-earnings.ts';
import {
  isPublic,
  type PointInTime,
  pointInTimeOf,
  withPastPriceReads,
} from './rows/past-reads.ts';
import { loadPriceContext, type PriceContext, pricesSeenAt } from './rows/price-context.ts';

/** Longest trading halt between a report and the first session after it, in sessions. */
const HALT_SESSIONS_MAX = 11;
/**
 * The same limit in calendar days: up to 24 days in September 2001 and about 20 around New Year.
 */
const HALT_DAYS_MAX = 30;
const SESSIONS_BEFORE = 35;
/**
 * Number of later sessions to load. The next session's volume helps infer the session of a report
 * without a known time. A bar up to ten sessions later shows that a company was halted, so its
 * report is assigned to the day on which trading resumes.
 */
const SESSIONS_AFTER = 10;
const DAY_SECONDS = 86_400;

export const endpoint: Endpoint = withPastPriceReads({
  name: 'earnings-movers',
  path: '/v1/earnings-movers',
  summary: 'Earnings movers',
  describe:
    'Companies whose first session after their results was this day, and which closed at ' +
    'least 5 % above or below the last close before the news. Sorted by move, largest first. ' +
    'Once the session is over, every report of the calendar counts, with or without known ' +
    'results; until then, only those with results. Volume is only used to infer the session ' +
    'of a report with results. Companies with an assumed session are counted in ' +
    '`unknownSession`, those without usable prices in `withoutPrices`, and neither is listed.',
  tag: 'earnings',
  parameters: [
    {
      name: 'date',
      in: 'query',
      kind: 'date',
      required: true,
      describe: 'The session: `YYYY-MM-DD`, or `today`, `yesterday`, `tomorrow` in New York.',
    },
    {
      name: 'direction',
      in: 'query',
      kind: 'enum',
      required: false,
      values: ['up', 'down'],
      describe: 'Returns only risers, or only fallers.',
    },
    {
      name: 'minPrice',
      in: 'query',
      kind: 'decimal',
      required: false,
      min: '0',
      max: '1000000000000',
      describe: 'Minimum close.',
    },
    {
      name: 'minVolume',
      in: 'query',
      kind: 'integer',
      required: false,
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      default: null,
      describe: 'Minimum number of shares traded.',
    },
  ],
  response: moversBody,
  example: moversExample,
  buckets: ['data'],
  datasets: ['earnings', 'bars'],
  historicalAccess: true,
  firstDay: (values) => values.date('date'),
  topics: (values) => [
    ...Array.from({ length: HALT_DAYS_MAX + 1 }, (_, back) => {
      return topics.earnings.date(addDays(values.date('date'), -back));
    }),
    topics.bars.any,
    topics.quotes.any,
    topics.profiles.shares,
    topics.marketOverrides.any,
  ],
  // Prices are in today's shares, so a known future split changes them on the day it takes effect.
  validUntil: (_, now) => nextNewYorkMidnight(now),
  maxAgeSeconds: () => 60,
  async handle(values, { db, now }) {
    const date = values.date('date');
    const point = pointInTimeOf(values, now);
    const context = await loadPriceContext(db, point);
    const { market, session } = context;
    const isOver = session !== null && session >= date;
    const missingDays = await daysWithoutBars(db, [market.previousTradingDay(date), date]);
    const isMissing = missingDays.includes(date);
    const { candidates, asOf, knownGaps } = market.isTradingDay(date)
      ? await loadCandidates(db, date, { ...context, point, isMissing })
      : { candidates: [], asOf: null, knownGaps: [] };
    const completed = session ?? market.previousTradingDay(date);
    const result = deriveMovers(candidates, date, market, completed, filterOf(values));
    const isComplete = missingDays.length === 0 || result.totalReported === 0;
    const isFinal = isOver && result.isSettled && isComplete;
    const movingEvents = result.movers.map(({ candidate }) => candidate.event);
    const closes =
      point.at === null
        ? await loadLastCloses(db, movingEvents, context)
        : new Map<string, LastClose>();
    return {
      kind: 'body',
      body: {
        date,
        isTradingDay: market.isTradingDay(date),
        final: isFinal,
        asOf: maybe(asOf, formatInstant),
        threshold: 5,
        totalReported: result.totalReported,
        unknownSession: result.unknownSession,
        withoutPrices: result.withoutPrices,
        data: result.movers.map((mover) =>
          renderMover(mover, closes.get(mover.candidate.event.securityId)?.marketCap ?? null),
        ),
      },
      asOf,
      knownGaps,
      ...(isFinal && point.known === 'store' ? { maxAgeSeconds: DAY_SECONDS } : {}),
    };
  },
});

interface MoversContext extends PriceContext {
  point: PointInTime;
  /** True if the store has no bars at all for the day. */
  isMissing: boolean;
}

interface Candidate extends MoverCandidate {
  event: EarningsEvent;
}

/**
 * Loads the reports for which this day may be the first session. Once the session is over, these
 * are all reports in the calendar; before that, only reports with results. If the store has no bars
 * at all for the day, the bars are considered missing rather than the companies halted, so their
 * reports are assigned to this day.
 */
async function loadCandidates(
  db: Queryable,
  date: LocalDate,
  { market, session, today, point, isMissing }: MoversContext,
): Promise<{ candidates: Candidate[]; asOf: Instant | null; knownGaps: KnownGap[] }> {
  const isOver = session !== null && session >= date;
  const known = await loadReports(db, date, { market, point });
  const passed = known.events.filter(
    ({ dateStatus, projection }) => (isOver && projection === null) || dateStatus === 'reported',
  );
  const dayBefore = market.previousTradingDay(date);
  const older = passed.filter((event) => event.date < dayBefore);
  // At a past instant, the store may have bars of a session that was not over.
  const mayBeHalted = point.at === null || isOver;
  const halted = await securitiesWithoutBarsSince(db, mayBeHalted ? older.map(dayOf) : [], date);
  const events = passed.filter((event) => event.date >= dayBefore || halted.has(event.securityId));
  const after = isOver && !isMissing ? market.addTradingDays(date, SESSIONS_AFTER) : date;
  const prices = await loadBars(db, [...new Set(events.map(({ securityId }) => securityId))], {
    from: market.addTradingDays(date, -SESSIONS_BEFORE),
    // Moves are only measured for completed sessions.
    to: session !== null && session < after ? session : after,
    basis: today,
  });
  const candidates = events.map((event): Candidate => {
    const { id, symbol, date: day, time, reportedAt, markerAhead } = event;
    const bars: readonly AdjustedBar[] = prices.get(event.securityId)?.bars ?? [];
    const isReported = event.dateStatus === 'reported';
    return { id, symbol, date: day, time, reportedAt, markerAhead, isReported, bars, event };
  });
  const observedAt = [
    ...events.map(({ updatedAt }) => updatedAt),
    pricesSeenAt(prices.values(), { market }, point) ?? 0,
  ];
  const knownGaps = earningsGaps(point, known);
  return { candidates, asOf: Math.max(...observedAt) || null, knownGaps };
}

/**
 * Loads the reports of the days from which a company may have been halted until this day. For the
 * public's knowledge, reports before the last session are derived for halted companies alone.
 */
async function loadReports(
  db: Queryable,
  date: LocalDate,
  { market, point }: { market: MarketCalendar; point: PointInTime },
): Promise<KnownEarnings> {
  const from = market.addTradingDays(date, -HALT_SESSIONS_MAX);
  if (!isPublic(point)) return loadKnownEarningsBetween(db, { from, to: date }, point, { market });
  const dayBefore = market.previousTradingDay(date);
  const days = { from, to: addDays(dayBefore, -1) };
  const stored = await loadEarningsBetween(db, days, null);
  const securityIds = [...(await securitiesWithoutBarsSince(db, stored.map(dayOf), date))];
  const older = await loadKnownEarningsBetween(db, days, point, { market, securityIds });
  const last = { from: dayBefore, to: date };
  const recent = await loadKnownEarningsBetween(db, last, point, { market });
  return { events: [...older.events, ...recent.events], recordedSince: recent.recordedSince };
}

function dayOf({ securityId, date }: EarningsEvent): { securityId: string; day: LocalDate } {
  return { securityId, day: date };
}

function filterOf(values: Values): MoverFilter {
  const direction = values.choice('direction');
  const minPrice = values.decimal('minPrice');
  const minVolume = values.integer('minVolume');
  return {
    ...(direction === 'up' || direction === 'down' ? { direction } : {}),
    ...(minPrice === null ? {} : { minPrice }),
    ...(minVolume === null ? {} : { minVolume }),
  };
}
