import fc from 'fast-check';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import type { SourceResponse } from '../../src/providers/provider.ts';
import {
  upcomingRow,
  calendarUrl,
  companyfacts,
  companyfactsUrl,
  envelope,
  pastRow,
  screenerRow,
  screenerUrl,
  submissions,
  submissionsUrl,
  tickers,
  TICKERS_URL,
} from './write-recording.ts';

/**
 * A small world of made-up companies as real sources would report it. Northgate has two share
 * classes, one company changes its symbol from OLDC to NEWC, and Blue appears only in calendars.
 */
export const worldShape = fc.record({
  calendars: fc.array(
    fc.record({
      day: fc.constantFrom('2026-02-10', '2026-02-11', '2026-02-12', '2026-05-12'),
      // A day is fetched repeatedly, and two of its responses may have the same instant.
      hours: fc.integer({ min: 0, max: 40 }).map((tens) => tens * 10),
      isPast: fc.boolean(),
      rows: fc.uniqueArray(
        fc.record({
          symbol: fc.constantFrom('NRTH', 'NRTHL', 'OLDC', 'NEWC', 'BLUE'),
          time: fc.constantFrom('time-pre-market', 'time-after-hours', 'time-not-supplied'),
          estimate: fc.constantFrom('$1.20', '$1.25', '($0.10)', 'N/A', ''),
          eps: fc.constantFrom('$1.30', '$0.00', 'N/A'),
          period: fc.constantFrom('Dec/2025', 'Dec/2025', 'Jan/2026', 'Mar/2026', ''),
          marketCap: fc.constantFrom('$1,000', '$2,000', ''),
        }),
        { selector: ({ symbol }) => symbol, maxLength: 4 },
      ),
    }),
    { maxLength: 14 },
  ),
  listDays: fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 3 }),
  renamedOn: fc.integer({ min: 0, max: 60 }),
  reusedOn: fc.integer({ min: 0, max: 90 }),
  filings: fc.array(
    fc.record({
      filer: fc.constantFrom(north(), changing()),
      day: fc.integer({ min: 0, max: 70 }),
      acceptedAt: fc.uniqueArray(
        fc.constantFrom(
          '2026-01-08T13:00:00.000Z',
          '2026-02-09T21:30:00.000Z',
          '2026-02-10T21:05:00.000Z',
          '2026-02-11T12:00:00.000Z',
          '2025-11-05T21:05:00.000Z',
        ),
        { maxLength: 3 },
      ),
      yearEnd: fc.constantFrom('1231', '1231', '0131', null),
    }),
    { maxLength: 3 },
  ),
  facts: fc.array(
    fc.record({
      filer: fc.constantFrom(north(), changing()),
      day: fc.integer({ min: 0, max: 90 }),
      revenue: fc.constantFrom(1_000_000, 2_000_000),
      quarters: fc.subarray(['2025-09-30', '2025-12-31', '2025-12-27'], { minLength: 1 }),
    }),
    { maxLength: 2 },
  ),
  lists: fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: 90 }),
      symbol: fc.constantFrom('NRTH', 'NEWC', 'OLDC'),
      sector: fc.constantFrom('Technology', 'Industrials', ''),
      price: fc.constantFrom('$10.00', '$11.00', 'NA'),
    }),
    { maxLength: 3 },
  ),
});

export type WorldShape = typeof worldShape extends fc.Arbitrary<infer Shape> ? Shape : never;

/** Returns the world's responses in order of observation. */
export function responsesOf(shape: WorldShape): SourceResponse[] {
  const responses = [
    ...shape.calendars.map(calendarOf),
    ...shape.listDays.map((day) => listOf(shape, day)),
    ...shape.filings.map(({ filer, day, acceptedAt, yearEnd }) => {
      const symbol = filer === north() ? 'NRTH' : day < shape.renamedOn ? 'OLDC' : 'NEWC';
      const body = { ...submissions(filer, symbol, acceptedAt), fiscalYearEnd: yearEnd };
      return responseOf(submissionsUrl(filer), body, day * 24 + 1);
    }),
    ...shape.facts.map(({ filer, day, revenue, quarters }) => {
      const filed = quarters.map((end) => ({ start: startOf(end), end, fp: 'Q3', revenue }));
      return responseOf(companyfactsUrl(filer), companyfacts(filer, filed), day * 24 + 2);
    }),
    ...shape.lists.map(({ day, symbol, sector, price }) => {
      const row = screenerRow(symbol, { sector, lastsale: price });
      return responseOf(screenerUrl('nyse'), envelope([row]), day * 24 + 3);
    }),
  ];
  return responses.toSorted((a, b) => a.observedAt - b.observedAt);
}

function calendarOf(calendar: WorldShape['calendars'][number]): SourceResponse {
  const rows = calendar.rows.map(({ symbol, time, estimate, eps, period, marketCap }) => {
    const fields = { time, epsForecast: estimate, fiscalQuarterEnding: period, marketCap };
    return calendar.isPast ? pastRow(symbol, { ...fields, eps }) : upcomingRow(symbol, fields);
  });
  return responseOf(calendarUrl(calendar.day), envelope(rows), calendar.hours);
}

/**
 * Returns a day's list. The rename, and a second filer's use of the old symbol, take effect over
 * time.
 */
function listOf({ renamedOn, reusedOn }: WorldShape, day: number): SourceResponse {
  const symbol = day < renamedOn ? 'OLDC' : 'NEWC';
  const rows: [number, string, string][] = [
    [Number(north()), 'Northgate', 'NRTH'],
    [Number(north()), 'Northgate', 'NRTHL'],
    [Number(changing()), 'Changing', symbol],
  ];
  if (day >= renamedOn && day >= reusedOn) rows.push([9_990_003, 'Second Use', 'OLDC']);
  return responseOf(TICKERS_URL, tickers(...rows), day * 24);
}

function responseOf(url: string, body: object, hoursAfterStart: number): SourceResponse {
  return createSourceResponse({
    url,
    status: 200,
    contentType: 'application/json',
    observedAt: Date.parse('2026-01-20T12:00:00Z') + hoursAfterStart * 3_600_000,
    text: JSON.stringify(body),
  });
}

function startOf(end: string): string {
  return end === '2025-09-30' ? '2025-07-01' : '2025-10-01';
}

function north(): string {
  return '0009990001';
}

function changing(): string {
  return '0009990002';
}
