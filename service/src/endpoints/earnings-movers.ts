import { withoutBarsSince } from '../datasets/bars/gaps.ts';
import { loadBars } from '../datasets/bars/load.ts';
import { BARS_TOPIC } from '../datasets/bars/topics.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadPassedEarnings } from '../datasets/earnings/store.ts';
import { MARKET_OVERRIDES_TOPIC } from '../datasets/market-overrides/store.ts';
import { loadQuotes, QUOTES_TOPIC } from '../datasets/quotes/store.ts';
import type { AdjustedBar } from '../domain/daily-bar.ts';
import { addDays } from '../domain/local-date.ts';
import type { LocalDate } from '../domain/local-date.ts';
import { deriveMovers } from '../domain/mover.ts';
import type { MoverCandidate, MoverFilter } from '../domain/mover.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint, Values } from './endpoint.ts';
import { maybe } from './rows/earnings-row.ts';
import { moversBody, renderMover } from './rows/movers-row.ts';
import { moversExample } from './rows/movers-example.ts';
import { withoutPastReads } from './rows/past-reads.ts';
import { loadPriceContext } from './rows/price-context.ts';
import type { PriceContext } from './rows/price-context.ts';

/** Sessions for which trading may have been halted between a report and its first session. */
const HALT_SESSIONS_MAX = 11;
/** The same in days, weekends and holidays counted. */
const HALT_DAYS_MAX = 19;
const SESSIONS_BEFORE = 35;
/** Volume after the day tells on which day a report of unknown time was answered. */
const SESSIONS_AFTER = 2;
const DAY_SECONDS = 86_400;

export const endpoint: Endpoint = withoutPastReads({
  name: 'earnings-movers',
  path: '/v1/earnings-movers',
  summary: 'Companies that moved 5 % or more after results',
  describe:
    'The companies whose first session after their results was that day, and which closed at ' +
    'least 5 % above or below the last close before the news; largest move first. A report whose ' +
    'session was told counts once that is over, its results known or not. Companies ' +
    'whose session is only assumed are counted in `unknownSession` and left out.',
  tag: 'earnings',
  parameters: [
    {
      name: 'date',
      in: 'query',
      kind: 'date',
      required: true,
      describe:
        'The session measured: `YYYY-MM-DD`, or `today`, `yesterday`, `tomorrow` in New York.',
    },
    {
      name: 'direction',
      in: 'query',
      kind: 'enum',
      required: false,
      values: ['up', 'down'],
      describe: 'Only those that rose, or fell.',
    },
    {
      name: 'minPrice',
      in: 'query',
      kind: 'decimal',
      required: false,
      min: '0',
      describe: 'Only those that closed at this price or above.',
    },
    {
      name: 'minVolume',
      in: 'query',
      kind: 'integer',
      required: false,
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      default: null,
      describe: 'Only those of which so many shares were traded.',
    },
  ],
  response: moversBody,
  example: moversExample,
  buckets: ['data'],
  historicalAccess: true,
  firstDay: (values) => values.date('date'),
  topics: (values) => [
    ...Array.from({ length: HALT_DAYS_MAX }, (_, back) => {
      return `earnings:date:${addDays(values.date('date'), -back)}`;
    }),
    BARS_TOPIC,
    QUOTES_TOPIC,
    MARKET_OVERRIDES_TOPIC,
  ],
  maxAgeSeconds: () => 60,
  async answer(values, { db }) {
    const date = values.date('date');
    const context = await loadPriceContext(db);
    const { market, session } = context;
    const isOver = session !== null && session >= date;
    const { candidates, asOf } =
      isOver && market.isTradingDay(date)
        ? await loadCandidates(db, date, context)
        : { candidates: [], asOf: null };
    const result = deriveMovers(candidates, date, market, session ?? date, filterOf(values));
    const quotes = await loadQuotes(
      db,
      result.movers.map(({ candidate }) => candidate.symbol),
    );
    return {
      kind: 'body',
      body: {
        date,
        isTradingDay: market.isTradingDay(date),
        final: isOver,
        asOf: maybe(asOf, formatInstant),
        threshold: 5,
        totalReported: result.totalReported,
        unknownSession: result.unknownSession,
        data: result.movers.map((mover) =>
          renderMover(mover, quotes.get(mover.candidate.symbol)?.marketCap ?? null),
        ),
      },
      asOf,
      // The session after may still tell on which of the two a report was answered.
      ...(isOver && session > date ? { maxAgeSeconds: DAY_SECONDS } : {}),
    };
  },
});

interface Candidate extends MoverCandidate {
  event: EarningsEvent;
}

async function loadCandidates(
  db: Queryable,
  date: LocalDate,
  { market, session }: PriceContext,
): Promise<{ candidates: Candidate[]; asOf: Instant | null }> {
  const dayBefore = market.previousTradingDay(date);
  const from = market.addTradingDays(date, -HALT_SESSIONS_MAX);
  const reported = await loadPassedEarnings(db, from, date);
  const older = reported.filter((event) => event.date < dayBefore);
  const halted = await withoutBarsSince(
    db,
    older.map(({ securityId, date: day }) => ({ securityId, day })),
    date,
  );
  const events = reported.filter(
    (event) => event.date >= dayBefore || halted.has(event.securityId),
  );
  const prices = await loadBars(db, [...new Set(events.map(({ securityId }) => securityId))], {
    from: market.addTradingDays(date, -SESSIONS_BEFORE),
    to: market.addTradingDays(date, SESSIONS_AFTER),
    basis: session ?? date,
  });
  const candidates = events.map((event): Candidate => {
    const { id, symbol, date: day, time, reportedAt, markerAhead } = event;
    const bars: readonly AdjustedBar[] = prices.get(event.securityId)?.bars ?? [];
    return { id, symbol, date: day, time, reportedAt, markerAhead, bars, event };
  });
  const seen = [
    ...events.map(({ updatedAt }) => updatedAt),
    ...[...prices.values()].map(({ seenAt }) => seenAt),
  ];
  return { candidates, asOf: seen.length === 0 ? null : Math.max(...seen) };
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
