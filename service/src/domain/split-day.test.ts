import { expect, test } from 'vitest';
import { localDate } from './local-date.ts';
import { marketCalendar } from './market/calendar.ts';
import { splitDay } from './split-day.ts';

const calendar = marketCalendar();
const AFTER = localDate('2026-05-08');
const DATE = localDate('2026-05-20');
const SESSIONS = calendar.tradingDays(AFTER, DATE);

/**
 * Returns closes for consecutive sessions, starting on Friday 8 May. The eighth session is
 * Wednesday 20 May.
 */
function closesOf(...closes: (string | null)[]) {
  return SESSIONS.flatMap((date, at) => {
    const close = closes[at] ?? null;
    return close === null ? [] : [{ date, close }];
  });
}

const OLD = ['400', '404', '398'];
const NEW = ['41', '39', '40', '41.5', '40.2', '40.9'];

test.each([
  ['dates a split by a move of its ratio', [...OLD, ...NEW], [10, 1], '2026-05-13'],
  [
    'allows an additional price move',
    [...OLD, '34', '39', '40', '41', '42', '40'],
    [10, 1],
    '2026-05-13',
  ],
  ['dates a reverse split', [...NEW.slice(0, 3), ...OLD, ...OLD], [1, 10], '2026-05-13'],
  [
    'accepts the first session after the old filing',
    ['400', ...NEW, '40', '41'],
    [10, 1],
    '2026-05-11',
  ],
  [
    'accepts the day of the new filing',
    [...OLD, ...OLD, '401', '399', '40'],
    [10, 1],
    '2026-05-20',
  ],
  ['returns null without a move', [...OLD, ...OLD, ...OLD], [10, 1], null],
  ['returns null for prices adjusted by the source', [...NEW, ...NEW.slice(0, 3)], [10, 1], null],
  ['returns null for a move by another ratio', [...OLD, ...NEW], [20, 1], null],
  [
    'returns null for two such moves',
    ['400', '40', '400', '40', '40', '40', '40', '40', '40'],
    [10, 1],
    null,
  ],
  [
    'returns null for a small split that may be a fall',
    ['60', '60', '35', '35', '35', '35', '35', '35', '35'],
    [3, 2],
    null,
  ],
  [
    'dates a small split by its exact ratio',
    ['60', '60', '41', '41', '40', '41', '40', '41', '40'],
    [3, 2],
    '2026-05-12',
  ],
  [
    'returns null if a session has no close',
    [...OLD, null, '39', '40', '41', '40', '41'],
    [10, 1],
    null,
  ],
  [
    'returns null if a session has no close although the move is visible',
    [...OLD, ...NEW.slice(0, 4), null, '40'],
    [10, 1],
    null,
  ],
] as const)('%s', (_, closes, [numerator = 1, denominator = 1], day) => {
  const split = { after: AFTER, date: DATE, ratio: { numerator, denominator } };
  expect(splitDay(split, closesOf(...closes), calendar)).toBe(day);
});
