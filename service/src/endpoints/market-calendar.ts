import { topics } from '../datasets/topics.gen.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { localDate, type LocalDate } from '../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import { formatClockTime } from '../domain/market/clock-time.ts';
import { closeAt, isTrading, type MarketDay, openAt } from '../domain/market/market-day.ts';
import { formatInstant } from '../platform/instant.ts';
import { mapInSlices } from '../platform/slices.ts';
import type { Endpoint } from './endpoint.ts';
import { eachDay, rangeFault } from './rows/date-range.ts';
import { maybe } from './rows/earnings-row.ts';
import {
  type BodyOf,
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

/** Slightly more than ten years. */
const DAYS_MAX = 3_700;
const DAYS_PER_SLICE = 250;
const HOUR_SECONDS = 3_600;

const calendarDay = named('MarketCalendarDay', {
  date: date('The New York day.'),
  isTradingDay: flag('True if there is a session, including a shortened one.'),
  status: choice(
    ['open', 'closed', 'early-close'],
    'A full session, none, or one that ends early.',
  ),
  open: nullable(clockTime('Regular open, New York; null when closed.')),
  close: nullable(clockTime('Regular or early close, New York; null when closed.')),
  openAt: nullable(instant('The open as an instant; null when closed.')),
  closeAt: nullable(instant('The close as an instant; null when closed.')),
  preMarketOpen: nullable(clockTime('Start of pre-market trading, New York; null when closed.')),
  afterHoursClose: nullable(clockTime('End of after-hours trading, New York; null when closed.')),
  reason: nullable(
    text('`Weekend`, the holiday, or the reason for a closure or early close; null otherwise.'),
  ),
  basis: choice(
    ['published', 'projected'],
    'Published by the exchange, or projected from its rules.',
  ),
});

type CalendarDay = BodyOf<typeof calendarDay>;

export const endpoint: Endpoint = {
  name: 'market-calendar',
  path: '/v1/market-calendar',
  summary: 'U.S. market calendar',
  describe:
    'Every calendar day from `from` to `to`, both inclusive, with its trading hours: trading ' +
    `days, weekends, holidays, early closes and special closures, at most ${DAYS_MAX} days. ` +
    'Exact from 1970 on. Years that the exchange has not published yet follow its rules and ' +
    'are marked `projected`.',
  tag: 'market',
  parameters: [
    {
      name: 'from',
      in: 'query',
      kind: 'date',
      required: true,
      describe: 'First day: `YYYY-MM-DD`, or `today`, `yesterday`, `tomorrow` in New York.',
    },
    {
      name: 'to',
      in: 'query',
      kind: 'date',
      required: true,
      describe: 'Last day, included, in the same form.',
    },
  ],
  response: list(calendarDay, 'Days, earliest first.'),
  example: daysOf(
    marketCalendar(),
    eachDay({ from: localDate('2026-11-26'), to: localDate('2026-11-28') }),
  ),
  rowKey: ['date'],
  datasets: [],
  historicalAccess: false,
  check: (values) => rangeFault(values, DAYS_MAX),
  topics: () => [topics.marketOverrides.any],
  maxAgeSeconds: () => HOUR_SECONDS,
  async handle(values, { db }) {
    const { overrides, changedAt } = await loadMarketOverrides(db);
    const days = eachDay({ from: values.date('from'), to: values.date('to') });
    const market = marketCalendar(overrides);
    const body = await mapInSlices(days, DAYS_PER_SLICE, (slice) => daysOf(market, slice));
    return { kind: 'body', body, asOf: changedAt };
  },
};

function daysOf(calendar: MarketCalendar, days: readonly LocalDate[]): CalendarDay[] {
  return days.map((day) => render(calendar.day(day)));
}

function render(day: MarketDay): CalendarDay {
  return {
    date: day.date,
    isTradingDay: isTrading(day),
    status: day.status === 'early' ? 'early-close' : day.status,
    open: maybe(day.open, formatClockTime),
    close: maybe(day.close, formatClockTime),
    openAt: maybe(openAt(day), formatInstant),
    closeAt: maybe(closeAt(day), formatInstant),
    preMarketOpen: maybe(day.preMarketOpen, formatClockTime),
    afterHoursClose: maybe(day.afterHoursClose, formatClockTime),
    reason: day.reason,
    basis: day.basis,
  };
}
