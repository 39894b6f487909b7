import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import {
  type Component,
  readICalendar,
  readText,
  valuesIn,
} from '../../test/support/read-icalendar.ts';
import { eventOf, securityOf, SEEN_AT, storeRows } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { localDate } from '../domain/local-date.ts';
import type { Instant } from '../platform/instant.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './calendar-earnings-ics.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  const day = (text: string) => ({ date: localDate(text) });
  await storeRows(db, {
    securities: [
      securityOf('NRTH'),
      securityOf('VLY', {
        symbols: [
          { symbol: 'OLDV', from: null, to: localDate('2026-06-30') },
          { symbol: 'VLY', from: localDate('2026-07-01'), to: null },
        ],
      }),
      securityOf('ZED'),
    ],
    events: [
      eventOf('NRTH', { ...day('2026-08-19'), id: 'ern_too_old', fiscalQuarter: 1 }),
      eventOf('NRTH', {
        ...day('2026-08-20'),
        id: 'ern_past',
        name: 'North, South; & "Sons"\r\nATTENDEE:mailto:a@example.com',
        dateStatus: 'reported',
        eps: '1.36',
        revenue: '801500000',
        revenueEstimate: '790000000',
        reportedAt: Date.parse('2026-08-20T11:00:12Z'),
        sourceUrl: 'https://example.com/8-K?id=1,2',
      }),
      eventOf('NRTH', {
        ...day('2026-11-27'),
        id: 'ern_next',
        time: 'time-after-hours',
        dateStatus: 'confirmed',
      }),
      eventOf('NRTH', { ...day('2027-11-20'), id: 'ern_last', time: 'time-not-supplied' }),
      eventOf('NRTH', { ...day('2027-11-21'), id: 'ern_too_far' }),
      eventOf('VLY', { id: 'ern_vly', updatedAt: SEEN_AT + 5_000 }),
      eventOf('ZED', { id: 'ern_zed' }),
    ],
  });
});

afterAll(() => db.close());

test('lists the reports for the requested symbols by date, from three months ago to twelve months ahead', async () => {
  const { entries } = await calendarOf(['NRTH', 'VLY']);
  expect([...entries.keys()]).toEqual(['ern_past', 'ern_vly', 'ern_next', 'ern_last']);
});

test("starts an iCalendar entry at the release time if it is known, otherwise at the session's close, even on an early-close day", async () => {
  const { entries } = await calendarOf(['NRTH']);
  expect(valuesOf(entries, 'ern_past', 'DTSTART')).toEqual(['20260820T110012Z']);
  expect(valuesOf(entries, 'ern_next', 'DTSTART')).toEqual(['20261127T180000Z']);
  expect(valuesOf(entries, 'ern_next', 'DTEND')).toEqual(['20261127T193000Z']);
  expect(valuesOf(entries, 'ern_last', 'DTSTART')).toEqual(['20271120']);
});

test('marks only iCalendar entries with projected dates as tentative', async () => {
  const { entries } = await calendarOf(['NRTH']);
  const statuses = ['ern_past', 'ern_next', 'ern_last'].map((id) =>
    valuesOf(entries, id, 'STATUS'),
  );
  expect(statuses).toEqual([['CONFIRMED'], ['CONFIRMED'], ['TENTATIVE']]);
});

test('describes the known facts in an iCalendar entry and escapes text from sources', async () => {
  const entry = (await calendarOf(['NRTH'])).entries.get('ern_past');
  if (entry === undefined) throw new Error('the entry is missing');
  expect(readText(valuesIn(entry, 'SUMMARY')[0] ?? '')).toBe(
    'NRTH earnings, Q3 2026, before the open',
  );
  expect(readText(valuesIn(entry, 'DESCRIPTION')[0] ?? '').split('\n')).toEqual([
    'North, South; & "Sons"',
    'ATTENDEE:mailto:a@example.com',
    'Reported: 2026-08-20, before the open',
    'EPS 1.36, estimate 1.2',
    'Revenue 801,500,000, estimate 790,000,000 USD',
    'Fiscal period ends 2026-09-30',
  ]);
  expect(valuesIn(entry, 'ATTENDEE')).toEqual([]);
  expect(valuesIn(entry, 'URL')).toEqual(['https://example.com/8-K?id=1,2']);
});

test('shows the company that had a former symbol in the iCalendar file and lists unknown symbols', async () => {
  const { calendar, entries } = await calendarOf(['NOPE', 'OLDV']);
  expect([...entries.keys()]).toEqual(['ern_vly']);
  const description = readText(valuesIn(calendar, 'X-WR-CALDESC')[0] ?? '');
  expect(description).toContain('Unknown symbols: NOPE.');
});

test('keeps the iCalendar file unchanged until a report changes, and reports the time of the latest change', async () => {
  const [early, late] = [await answerOf(['VLY'], NOW), await answerOf(['VLY'], NOW + 3_600_000)];
  expect(late).toEqual(early);
  expect(early.asOf).toBe(SEEN_AT + 5_000);
});

test('returns an iCalendar file without entries if the symbols have no reports', async () => {
  const { entries } = await calendarOf(['NOPE']);
  expect(entries.size).toBe(0);
});

test("invalidates the cached iCalendar file when a requested symbol's reports or listing change", () => {
  const topics = endpoint.topics(parameterValues({ symbols: ['NRTH', 'VLY'] }), NOW);
  expect(topics).toEqual(
    expect.arrayContaining(['earnings:symbol:NRTH', 'security:NRTH', 'earnings:symbol:VLY']),
  );
});

test('has an iCalendar example that is valid', () => {
  const example = readICalendar(new TextEncoder().encode(String(endpoint.example)));
  expect(example.parts.map(({ name }) => name)).toEqual(['VEVENT']);
});

async function calendarOf(symbols: readonly string[]) {
  const { body } = await answerOf(symbols, NOW);
  const calendar = readICalendar(new TextEncoder().encode(body));
  const entries = new Map(calendar.parts.map((part) => [valuesIn(part, 'UID')[0] ?? '', part]));
  expect(entries.size).toBe(calendar.parts.length);
  return { calendar, entries };
}

async function answerOf(symbols: readonly string[], now: Instant) {
  const context = { db, now, historyFrom: null };
  const response = await endpoint.handle(parameterValues({ symbols }), context);
  if (response.kind !== 'text') throw new Error(`unexpected response: ${response.kind}`);
  return response;
}

function valuesOf(entries: ReadonlyMap<string, Component>, id: string, name: string): string[] {
  const entry = entries.get(id);
  return entry === undefined ? [] : valuesIn(entry, name);
}
