import { topics } from '../datasets/topics.gen.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { localDate, yearOf } from '../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../domain/new-york.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import { deriveMarketHolidays, type MarketHoliday } from '../domain/market/market-holidays.ts';
import { dateIn } from '../domain/market/year-dates.ts';
import type { Instant } from '../platform/instant.ts';
import type { Endpoint } from './endpoint.ts';
import {
  choice,
  clockTime,
  date,
  flag,
  instant,
  list,
  named,
  nullable,
  text,
} from './schema/fields.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const;
const DAY_SECONDS = 86_400;

export const endpoint: Endpoint = {
  name: 'market-holidays',
  path: '/v1/market-holidays',
  summary: 'U.S. market holidays',
  describe:
    'Days on which the U.S. stock market is closed or closes early, in the previous, the ' +
    'current and the next two calendar years, sorted by date. Special closures are included. ' +
    'Years that the exchange has not published yet follow its rules and are marked ' +
    '`projected`.',
  tag: 'market',
  parameters: [],
  response: list(holidaySchema(), 'Holidays and early closes, by date.'),
  example: example(),
  rowKey: ['date'],
  datasets: [],
  historicalAccess: false,
  topics: () => [topics.marketOverrides.any],
  validUntil: (_, now) => newYorkInstant(dateIn(newYorkYear(now) + 1, 1, 1), 0),
  maxAgeSeconds: () => DAY_SECONDS,
  async handle(_, { db, now }) {
    const { overrides, changedAt } = await loadMarketOverrides(db);
    const year = newYorkYear(now);
    const years = { from: year - 1, to: year + 2 };
    const body = deriveMarketHolidays(marketCalendar(overrides), years);
    return { kind: 'body', body, asOf: changedAt };
  },
};

function newYorkYear(now: Instant): number {
  return yearOf(newYorkDate(now));
}

function holidaySchema() {
  return named('MarketHoliday', {
    date: date('The New York day.'),
    name: text('Name of the holiday or of the special event.'),
    status: choice(['closed', 'early-close'], 'Closed, or open with an early close.'),
    isEarlyClose: flag('True if the day has a shortened session.'),
    open: nullable(clockTime('Regular open, New York; null when closed.')),
    close: nullable(clockTime('Early close, New York; null when closed.')),
    closeAt: nullable(instant('The early close as an instant; null when closed.')),
    exchanges: list(text('Exchange.'), 'Exchanges that observe this day.'),
    observedFor: nullable(date("The holiday's own date, when it falls on a weekend.")),
    kind: choice(['scheduled', 'special'], 'Scheduled by yearly rules, or special.'),
    basis: choice(
      ['published', 'projected'],
      'Published by the exchange, or projected from its rules.',
    ),
    weekday: choice(WEEKDAYS, 'Day of the week, in English.'),
  });
}

/** Returns the last four holidays and early closes of 2026. */
function example(): MarketHoliday[] {
  const from = localDate('2026-11-01');
  return deriveMarketHolidays(marketCalendar(), { from: 2026, to: 2026 }).filter(
    (holiday) => holiday.date >= from,
  );
}
