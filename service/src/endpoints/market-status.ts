import { Type } from 'typebox';
import { loadMarketOverrides, MARKET_OVERRIDES_TOPIC } from '../datasets/market-overrides/store.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import { deriveMarketStatus, type MarketStatus } from '../domain/market/market-status.ts';
import type { Endpoint } from './endpoint.ts';
import { choice, clockTime, date, flag, instant, named, nullable, text } from './schema/fields.ts';

const SESSIONS = ['pre-market', 'open', 'after-hours', 'closed'] as const;
const CLOSED_REASONS = ['weekend', 'holiday', 'special-closure', 'outside-hours'] as const;

/**
 * Every change of session falls on a whole minute, whether rules or an operator set it, and so
 * does midnight. An answer that ends with its second therefore never outlives a change, and its
 * `timestamp` is never older than that.
 */
const ANSWER_MS = 1_000;
const MAX_AGE_SECONDS = 30;

export const endpoint: Endpoint = {
  name: 'market-status',
  path: '/v1/market-status',
  summary: 'U.S. market status',
  describe:
    'The session the U.S. stock market is in now, the next change, open and close, and the hours ' +
    'of today and tomorrow, all on New York days. Sessions include their start and leave out their ' +
    'end: pre-market from 04:00, regular trading, then after-hours until 20:00, or until four ' +
    'hours after an early close. These are scheduled hours: a trading halt does not show here.',
  tag: 'market',
  parameters: [],
  response: responseSchema(),
  example: example(),
  historicalAccess: false,
  topics: () => [MARKET_OVERRIDES_TOPIC],
  validUntil: (_, now) => (Math.floor(now / ANSWER_MS) + 1) * ANSWER_MS,
  maxAgeSeconds: () => MAX_AGE_SECONDS,
  async answer(_, { db, now }) {
    const { overrides, changedAt } = await loadMarketOverrides(db);
    const body = deriveMarketStatus(marketCalendar(overrides), now);
    // Only the answer knows of the changes that an operator set.
    const untilChangeMs = Date.parse(body.nextStatusAt) - now;
    const maxAgeSeconds = Math.min(MAX_AGE_SECONDS, Math.floor(untilChangeMs / 1000));
    return { kind: 'body', body, asOf: changedAt, maxAgeSeconds };
  },
};

function responseSchema() {
  return named('MarketStatus', {
    isTodayOpen: flag('Whether today (New York) has a session, even one that is over.'),
    isTomorrowOpen: flag('Whether tomorrow has a session.'),
    nextOpenDate: date('The day of `nextOpen`.'),
    currentMarketStatus: choice(SESSIONS, 'The session now.'),
    timestamp: instant('The moment this answer describes.'),
    timezone: Type.Literal('America/New_York', { description: 'The time zone of the market.' }),
    nextOpen: offsetInstant('The first regular open strictly after now'),
    nextClose: offsetInstant('The first regular or early close strictly after now'),
    nextStatus: choice(SESSIONS, 'The session that begins at `nextStatusAt`.'),
    nextStatusAt: instant('When the session changes next; strictly after now.'),
    closedReason: nullable(
      choice(CLOSED_REASONS, 'Why the market is closed; null in any other session.'),
    ),
    isEarlyClose: flag('Whether today closes early.'),
    holiday: nullable(text('What today is listed as among the market holidays.')),
    today: daySchema(),
    tomorrow: daySchema(),
  });
}

function daySchema() {
  return named('MarketStatusDay', {
    date: date('The New York day.'),
    isOpen: flag('Whether there is a session that day.'),
    preMarketOpen: nullable(clockTime('Start of pre-market trading, New York.')),
    open: nullable(clockTime('Regular open, New York.')),
    close: nullable(clockTime('Regular or early close, New York.')),
    afterHoursClose: nullable(clockTime('End of after-hours trading, New York.')),
    isEarlyClose: flag('Whether the session ends before the regular close.'),
    holiday: nullable(text('What the day is listed as among the market holidays.')),
  });
}

function offsetInstant(describe: string) {
  return Type.String({
    format: 'date-time',
    description: `${describe}, RFC 3339 with the New York offset of that moment.`,
  });
}

/** The day before Thanksgiving 2026, an hour into the session. */
function example(): MarketStatus {
  return deriveMarketStatus(marketCalendar(), Date.UTC(2026, 10, 25, 15, 30));
}
