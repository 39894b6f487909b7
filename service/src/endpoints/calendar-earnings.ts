import { loadEarningsOfDay } from '../datasets/earnings/store.ts';
import { loadMarketOverrides, MARKET_OVERRIDES_TOPIC } from '../datasets/market-overrides/store.ts';
import { loadQuotes, QUOTES_TOPIC } from '../datasets/quotes/store.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Endpoint } from './endpoint.ts';
import { datedMaxAgeSeconds } from './rows/dated-max-age.ts';
import { scheduledExample } from './rows/earnings-examples.ts';
import { earningsRow, maybe, renderEarningsRow } from './rows/earnings-row.ts';
import type { EarningsRow } from './rows/earnings-row.ts';
import { date, flag, instant, list, named, nullable } from './schema/fields.ts';

export const endpoint: Endpoint = {
  name: 'calendar-earnings',
  path: '/v1/calendar/earnings',
  summary: 'Earnings reports of a day',
  describe:
    'The companies that report on a New York day, by session: before the open, after the close, ' +
    'and those whose session no source supplies or falls inside trading hours. Largest market ' +
    'capitalisation first. A weekend or holiday answers 200 with `isTradingDay: false`.',
  tag: 'earnings',
  parameters: [
    {
      name: 'date',
      in: 'query',
      kind: 'date',
      required: true,
      describe: '`YYYY-MM-DD`, or `today`, `yesterday`, `tomorrow` in New York.',
    },
  ],
  response: named('EarningsCalendar', {
    date: date('The day asked for.'),
    isTradingDay: flag('Whether the U.S. stock market trades on that day.'),
    asOf: nullable(instant('The newest observation that changed this answer.')),
    pre: list(earningsRow, 'Before the open.'),
    after: list(earningsRow, 'After the close.'),
    notSupplied: list(earningsRow, 'Session not supplied, or during market hours.'),
  }),
  example: {
    date: '2026-11-20',
    isTradingDay: true,
    asOf: '2026-11-12T21:40:00Z',
    pre: [scheduledExample],
    after: [],
    notSupplied: [],
  },
  historicalAccess: true,
  topics: (values) => [
    `earnings:date:${values.date('date')}`,
    QUOTES_TOPIC,
    MARKET_OVERRIDES_TOPIC,
  ],
  maxAgeSeconds: (values, now) => datedMaxAgeSeconds(values.date('date'), now),
  async answer(values, { db }) {
    const day = values.date('date');
    const events = await loadEarningsOfDay(db, day);
    const quotes = await loadQuotes(
      db,
      events.map(({ symbol }) => symbol),
    );
    const { overrides } = await loadMarketOverrides(db);
    const rows = events.map((event) => renderEarningsRow(event, quotes.get(event.symbol)));
    rows.sort(byMarketCap);
    const asOf = events.length === 0 ? null : Math.max(...events.map((event) => event.updatedAt));
    return {
      kind: 'body',
      body: {
        date: day,
        isTradingDay: marketCalendar(overrides).isTradingDay(day),
        asOf: maybe(asOf, formatInstant),
        pre: rows.filter(({ time }) => time === 'time-pre-market'),
        after: rows.filter(({ time }) => time === 'time-after-hours'),
        notSupplied: rows.filter(
          ({ time }) => time === 'time-not-supplied' || time === 'time-during-market',
        ),
      },
      asOf,
    };
  },
};

/** Largest first, unknown last, then by symbol and id, so that the order is total. */
function byMarketCap(a: EarningsRow, b: EarningsRow): number {
  return (
    (b.marketCap ?? -1) - (a.marketCap ?? -1) ||
    (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : a.id < b.id ? -1 : 1)
  );
}
