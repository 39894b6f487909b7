import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatInstant, type Instant, parseInstant } from '../../platform/instant.ts';
import { localDate } from '../local-date.ts';
import { formatNewYork } from '../new-york.ts';
import { marketCalendar } from './calendar.ts';
import { clockTime } from './clock-time.ts';
import { nextCloseAfter, nextOpenAfter, sessionAt } from './sessions.ts';

const MINUTE_MS = 60_000;
const WEEK_MINUTES = 7 * 24 * 60;
const calendar = marketCalendar();

test('returns the expected session and next session for every instant in a table', () => {
  const url = new URL('../../../../vectors/market-days/sessions.csv', import.meta.url);
  const [, ...lines] = readFileSync(url, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(800);
  const wrong = lines.filter((line) => line !== showMoment(parseInstant(line.split(',')[0] ?? '')));
  expect(wrong).toEqual([]);
});

test.each([
  ['spring change under the old law', '1974-01-04'],
  ['spring change in February', '1975-02-21'],
  ['spring change in April', '1987-04-03'],
  ['autumn change in October', '2006-10-27'],
  ['spring change in March', '2026-03-06'],
  ['autumn change in November', '2026-10-30'],
  ['Thanksgiving week', '2026-11-24'],
  ['year end', '2026-12-29'],
  ['four days of closure', '2001-09-10'],
  ['curtailed hours', '1987-11-04'],
])('returns the same sessions as a minute-by-minute walk: %s', (_, date) => {
  expect(disagreements(Date.parse(`${date}T00:00:00Z`))).toEqual([]);
});

test('returns the same sessions as a minute-by-minute walk in random weeks', () => {
  const anyWeek = fc.integer({ min: 0, max: 22_200 }).map((day) => day * 86_400_000);
  const agrees = (start: Instant): void => {
    expect(disagreements(start)).toEqual([]);
  };
  fc.assert(fc.property(anyWeek, agrees), { numRuns: 6 });
});

test('applies an override to the session, the next open and the next close', () => {
  const date = localDate('2026-11-20');
  const shut = marketCalendar([{ date, kind: 'closed', reason: 'Blizzard' }]);
  const noon = Date.parse('2026-11-20T17:00:00Z');
  expect(sessionAt(shut, noon).session).toBe('closed');
  expect(formatNewYork(nextOpenAfter(shut, noon).at)).toBe('2026-11-23T09:30:00-05:00');
  const short = marketCalendar([
    { date, kind: 'early-close', close: clockTime('12:00'), reason: 'Blizzard' },
  ]);
  expect(sessionAt(short, noon - 1).session).toBe('open');
  expect(sessionAt(short, noon).session).toBe('after-hours');
});

function showMoment(at: Instant | null): string {
  if (at === null) return 'not an instant';
  const state = sessionAt(calendar, at);
  return [
    formatInstant(at),
    state.session,
    state.nextSession,
    formatInstant(state.nextSessionAt),
    formatNewYork(nextOpenAfter(calendar, at).at),
    formatNewYork(nextCloseAfter(calendar, at).at),
  ].join(',');
}

/**
 * Walks minute by minute through a week and the following ten days on a clock from Intl, and
 * returns the instants at which the code disagrees with it. The walk and the code share no
 * arithmetic for offsets or instants.
 */
function disagreements(start: Instant): string[] {
  const differences: string[] = [];
  const seen: string[] = [];
  for (let minute = 0; minute < WEEK_MINUTES + 10 * 24 * 60; minute++) {
    seen.push(naiveSession(start + minute * MINUTE_MS));
  }
  let next = seen.length;
  let nextOpen = seen.length;
  let nextClose = seen.length;
  for (let minute = seen.length - 2; minute >= 0; minute--) {
    const [now, after] = [seen[minute], seen[minute + 1]];
    if (now !== after) next = minute + 1;
    if (now !== 'open' && after === 'open') nextOpen = minute + 1;
    if (now === 'open' && after !== 'open') nextClose = minute + 1;
    if (minute >= WEEK_MINUTES) continue;
    const at = start + minute * MINUTE_MS;
    const state = sessionAt(calendar, at);
    const actual = [
      state.session,
      state.nextSessionAt,
      state.nextSession,
      nextOpenAfter(calendar, at).at,
      nextCloseAfter(calendar, at).at,
    ];
    const toInstant = (index: number) => start + index * MINUTE_MS;
    const expected = [now, toInstant(next), seen[next], toInstant(nextOpen), toInstant(nextClose)];
    if (actual.join() !== expected.join()) {
      differences.push(`${formatInstant(at)}: ${actual.join()} for ${expected.join()}`);
    }
  }
  return differences;
}

const clockFace = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'short',
});

function naiveSession(at: Instant): string {
  const [date = '', time = ''] = clockFace.format(at).split(' ');
  const day = calendar.day(localDate(date));
  if (day.open === null || day.close === null) return 'closed';
  const minute = clockTime(time);
  if (minute < 4 * 60) return 'closed';
  if (minute < day.open) return 'pre-market';
  if (minute < day.close) return 'open';
  return minute < (day.status === 'early' ? day.close + 240 : 1200) ? 'after-hours' : 'closed';
}
