import { expect, test } from 'vitest';
import { localDate } from './local-date.ts';
import { marketCalendar } from './market/calendar.ts';
import { splitDay } from './split-day.ts';

const calendar = marketCalendar();
const AFTER = localDate('2026-05-08');
const DATE = localDate('2026-05-20');
const SESSIONS = calendar.tradingDays(AFTER, DATE);

/** Closes of consecutive sessions: the eighth is Wednesday 20 May, the first Friday 8 May. */
function closesOf(...closes: (string | null)[]) {
  return SESSIONS.flatMap((date, at) => {
    const close = closes[at] ?? null;
    return close === null ? [] : [{ date, close }];
  });
}

const OLD = ['400', '404', '398'];
const NEW = ['41', '39', '40', '41.5', '40.2', '40.9'];

test.each([
  ['a move by the ratio dates the split', [...OLD, ...NEW], [10, 1], '2026-05-13'],
  [
    'the price may move besides',
    [...OLD, '34', '39', '40', '41', '42', '40'],
    [10, 1],
    '2026-05-13',
  ],
  ['shares may be put together', [...NEW.slice(0, 3), ...OLD, ...OLD], [1, 10], '2026-05-13'],
  [
    'the first session after the old filing may be it',
    ['400', ...NEW, '40', '41'],
    [10, 1],
    '2026-05-11',
  ],
  [
    'and so may the day of the new filing',
    [...OLD, ...OLD, '401', '399', '40'],
    [10, 1],
    '2026-05-20',
  ],
  ['no move, no day', [...OLD, ...OLD, ...OLD], [10, 1], null],
  ['prices adjusted by the source show no day', [...NEW, ...NEW.slice(0, 3)], [10, 1], null],
  ['another ratio is another matter', [...OLD, ...NEW], [20, 1], null],
  [
    'of two such moves none is taken',
    ['400', '40', '400', '40', '40', '40', '40', '40', '40'],
    [10, 1],
    null,
  ],
  [
    'a small split is not told from a fall',
    ['60', '60', '35', '35', '35', '35', '35', '35', '35'],
    [3, 2],
    null,
  ],
  [
    'a small split by its ratio is',
    ['60', '60', '41', '41', '40', '41', '40', '41', '40'],
    [3, 2],
    '2026-05-12',
  ],
  [
    'a session without a close hides the day',
    [...OLD, null, '39', '40', '41', '40', '41'],
    [10, 1],
    null,
  ],
  ['even where the move is seen', [...OLD, ...NEW.slice(0, 4), null, '40'], [10, 1], null],
] as const)('%s', (_, closes, [numerator = 1, denominator = 1], day) => {
  const split = { after: AFTER, date: DATE, ratio: { numerator, denominator } };
  expect(splitDay(split, closesOf(...closes), calendar)).toBe(day);
});
