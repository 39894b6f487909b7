import { topics } from '../datasets/topics.gen.ts';
import { Type } from 'typebox';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import { deriveMarketStatus, type MarketStatus } from '../domain/market/market-status.ts';
import type { Endpoint } from './endpoint.ts';
import { choice, clockTime, date, flag, instant, named, nullable, text } from './schema/fields.ts';

const SESSIONS = ['pre-market', 'open', 'after-hours', 'closed'] as const;
const CLOSED_REASONS = ['weekend', 'holiday', 'special-closure', 'outside-hours'] as const;

/**
 * Session changes and midnight always fall on whole minutes, whether scheduled or set by an
 * operator. A response that expires at the end of the current second therefore never remains valid
 * past a change, and its `timestamp` is at most one second old.
 */
const ANSWER_MS = 1_000;
const MAX_AGE_SECONDS = 30;

export const endpoint: Endpoint = {
  name: 'market-status',
  path: '/v1/market-status',
  summary: 'U.S. market status',
  describe:
    'The current session of the U.S. stock market, the next change, open and close, and the ' +
    'hours of today and tomorrow, all on New York days. Sessions include their start and ' +
    'exclude their end: pre-market from 04:00, regular trading, then after-hours until ' +
    '20:00, or until four hours after an early close. These are scheduled hours; trading ' +
    'halts are not included.',
  tag: 'market',
  parameters: [],
  response: responseSchema(),
  example: example(),
  datasets: [],
  historicalAccess: false,
  topics: () => [topics.marketOverrides.any],
  validUntil: (_, now) => (Math.floor(now / ANSWER_MS) + 1) * ANSWER_MS,
  maxAgeSeconds: () => MAX_AGE_SECONDS,
  async handle(_, { db, now }) {
    const { overrides, changedAt } = await loadMarketOverrides(db);
    const body = deriveMarketStatus(marketCalendar(overrides), now);
    // Changes set by an operator are not known before this point.
    const untilChangeMs = Date.parse(body.nextStatusAt) - now;
    const maxAgeSeconds = Math.min(MAX_AGE_SECONDS, Math.floor(untilChangeMs / 1000));
    return { kind: 'body', body, asOf: changedAt, maxAgeSeconds };
  },
};

function responseSchema() {
  return named('MarketStatus', {
    isTodayOpen: flag('True if today (New York) has a session, even if it is over.'),
    isTomorrowOpen: flag('True if tomorrow has a session.'),
    nextOpenDate: date('Date of `nextOpen`.'),
    currentMarketStatus: choice(SESSIONS, 'Current session.'),
    timestamp: instant('Time that the response describes.'),
    timezone: Type.Literal('America/New_York', { description: 'The time zone of the market.' }),
    nextOpen: offsetInstant('The first regular open strictly after now'),
    nextClose: offsetInstant('The first regular or early close strictly after now'),
    nextStatus: choice(SESSIONS, 'Session that begins at `nextStatusAt`.'),
    nextStatusAt: instant('Time of the next session change; strictly after now.'),
    closedReason: nullable(
      choice(CLOSED_REASONS, 'Reason the market is closed; null in any other session.'),
    ),
    isEarlyClose: flag('True if today closes early.'),
    holiday: nullable(text("Name of today's market holiday.")),
    today: daySchema(),
    tomorrow: daySchema(),
  });
}

function daySchema() {
  return named('MarketStatusDay', {
    date: date('The New York day.'),
    isOpen: flag('True if there is a session that day.'),
    preMarketOpen: nullable(clockTime('Start of pre-market trading, New York.')),
    open: nullable(clockTime('Regular open, New York.')),
    close: nullable(clockTime('Regular or early close, New York.')),
    afterHoursClose: nullable(clockTime('End of after-hours trading, New York.')),
    isEarlyClose: flag('True if the session ends before the regular close.'),
    holiday: nullable(text("Name of the day's market holiday.")),
  });
}

function offsetInstant(describe: string) {
  return Type.String({
    format: 'date-time',
    description: `${describe}, RFC 3339 with the New York offset at that time.`,
  });
}

/** Returns the status on the day before Thanksgiving 2026, an hour into the session. */
function example(): MarketStatus {
  return deriveMarketStatus(marketCalendar(), Date.UTC(2026, 10, 25, 15, 30));
}
