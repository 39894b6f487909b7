import { topics } from '../datasets/topics.gen.ts';
import { Type } from 'typebox';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadEarningsOfSecuritiesBetween } from '../datasets/earnings/store.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { lastHolder } from '../datasets/securities/last-holder.ts';
import { loadSecuritiesBySymbol } from '../datasets/securities/store.ts';
import { renderCalendar } from '../domain/icalendar.ts';
import { addMonths, type LocalDate } from '../domain/local-date.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import { newYorkDate, nextNewYorkMidnight } from '../domain/new-york.ts';
import { compareText } from '../platform/compare.ts';
import type { Instant } from '../platform/instant.ts';
import type { Endpoint } from './endpoint.ts';
import { earningsEntry } from './rows/earnings-entry.ts';
import { exampleCompany } from './rows/example-company.ts';
import { FILTER_SYMBOLS_MAX } from './rows/symbol-filter.ts';

const MONTHS = { back: 3, ahead: 12 };
const REFRESH_HOURS = 1;
const NAMED_SYMBOLS_MAX = 5;

/**
 * Topics contain only current symbols, so a change to the company behind a former symbol may not
 * become visible until this time has passed.
 */
const CACHE_MS = 5 * 60_000;

export const endpoint: Endpoint = {
  name: 'calendar-earnings-ics',
  path: '/v1/calendar/earnings.ics',
  summary: 'Earnings calendar feed (iCalendar)',
  describe:
    'Earnings reports of the given symbols, from three months back to twelve months ahead, ' +
    'as iCalendar (RFC 5545). Subscribe to this address in a calendar app to follow every ' +
    'change. A report keeps its UID when its date moves. An entry starts at the release time ' +
    'if it is known; with a known session, it covers the hour and a half before the open or ' +
    'after the close; otherwise it is all day. Projected dates are tentative. A former ' +
    'symbol shows its company. The calendar description lists unknown symbols.',
  tag: 'earnings',
  parameters: [
    {
      name: 'symbols',
      in: 'query',
      kind: 'symbols',
      required: true,
      max: FILTER_SYMBOLS_MAX,
      describe:
        'Ticker symbols, separated by commas, such as `AAPL,BRK.B`. `@name` stands for a watchlist.',
    },
  ],
  mediaType: 'text/calendar',
  response: Type.String({ description: 'A VCALENDAR with one VEVENT per report.' }),
  example: [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Afterbell//Earnings calendar//EN',
    'BEGIN:VEVENT',
    'UID:ern_dd0052738ac4fdfe07ec',
    'DTSTAMP:20261112T214000Z',
    'DTSTART:20261120T130000Z',
    'DTEND:20261120T143000Z',
    `SUMMARY:${exampleCompany.symbol} earnings\\, Q3 2026\\, before the open`,
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n'),
  datasets: ['earnings'],
  historicalAccess: false,
  topics: (values) => [
    ...(values.symbols('symbols') ?? []).flatMap((symbol) => [
      topics.earnings.symbol(symbol),
      topics.securities.symbol(symbol),
    ]),
    topics.marketOverrides.any,
  ],
  validUntil: (_, now) => Math.min(nextNewYorkMidnight(now), now + CACHE_MS),
  maxAgeSeconds: () => 900,
  async handle(values, { db, now }) {
    const symbols = values.symbols('symbols') ?? [];
    const securities = await loadSecuritiesBySymbol(db, symbols);
    const holders = symbols.map((symbol) => lastHolder(symbol, securities));
    const ids = new Set(holders.flatMap((security) => (security === null ? [] : [security.id])));
    const events = await loadEarningsOfSecuritiesBetween(db, [...ids], calendarRange(now));
    const { overrides } = await loadMarketOverrides(db);
    const market = marketCalendar(overrides);
    const sorted = events.toSorted(byDate);
    const body = renderCalendar({
      name: nameOf(symbols),
      description: describe(symbols.filter((_, i) => holders[i] === null)),
      refreshHours: REFRESH_HOURS,
      entries: sorted.map((event) => earningsEntry(event, market)),
    });
    return { kind: 'text', body, asOf: newestOf(sorted) };
  },
};

function calendarRange(now: Instant): { from: LocalDate; to: LocalDate } {
  const today = newYorkDate(now);
  return { from: addMonths(today, -MONTHS.back), to: addMonths(today, MONTHS.ahead) };
}

function byDate(a: EarningsEvent, b: EarningsEvent): number {
  return compareText(a.date, b.date) || compareText(a.symbol, b.symbol) || compareText(a.id, b.id);
}

function newestOf(events: readonly EarningsEvent[]): Instant | null {
  return events.length === 0 ? null : Math.max(...events.map(({ updatedAt }) => updatedAt));
}

function nameOf(symbols: readonly string[]): string {
  const named = symbols.slice(0, NAMED_SYMBOLS_MAX).join(', ');
  const moreCount = symbols.length - NAMED_SYMBOLS_MAX;
  return `Earnings: ${named}${moreCount > 0 ? ` and ${moreCount} more` : ''}`;
}

function describe(unknown: readonly string[]): string {
  const text = 'Past and upcoming earnings reports, in U.S. stock market hours.';
  return unknown.length === 0 ? text : `${text} Unknown symbols: ${unknown.join(', ')}.`;
}
