import { expect, test } from 'vitest';
import { parseInstant } from '../platform/instant.ts';
import { localDate } from './local-date.ts';
import { marketCalendar } from './market/calendar.ts';
import { clockTime } from './market/clock-time.ts';
import { type Release, type ReleaseTime, releaseWindow } from './release-window.ts';

const calendar = marketCalendar();
const PRE = 'time-pre-market';
const AFTER = 'time-after-hours';
const DURING = 'time-during-market';
const NONE = 'time-not-supplied';

function show(release: Release, market = calendar): string | null {
  const window = releaseWindow(release, market);
  return window && `${window.baseDay} ${window.firstDay} ${window.reactionBasis}`;
}

function marked(date: string, time: ReleaseTime): Release {
  return { date: localDate(date), time, reportedAt: null, markerAhead: true };
}

// Thanksgiving is Thursday 2026-11-26. The session on the Friday after it ends at 13:00.
test.each([
  ['pre-market on a Tuesday', '2026-05-12', PRE, '2026-05-11 2026-05-12 session'],
  ['pre-market on a Monday', '2026-05-11', PRE, '2026-05-08 2026-05-11 session'],
  ['in the session', '2026-05-12', DURING, '2026-05-11 2026-05-12 intraday'],
  ['after hours on a Friday', '2026-05-15', AFTER, '2026-05-15 2026-05-18 session'],
  ['after hours before a holiday', '2026-11-25', AFTER, '2026-11-25 2026-11-27 session'],
  ['after hours on a short day', '2026-11-27', AFTER, '2026-11-27 2026-11-30 session'],
  ['pre-market on a holiday', '2026-11-26', PRE, '2026-11-25 2026-11-27 session'],
  ['after hours on a holiday', '2026-11-26', AFTER, '2026-11-25 2026-11-27 session'],
  ['marked in the session of a holiday', '2026-11-26', DURING, '2026-11-25 2026-11-27 session'],
  ['on a Saturday', '2026-05-16', AFTER, '2026-05-15 2026-05-18 session'],
  ['on a Sunday before a Monday holiday', '2026-05-24', PRE, '2026-05-22 2026-05-26 session'],
  ['unknown time', '2026-05-12', NONE, null],
  ['unknown time on a Sunday', '2026-05-17', NONE, null],
] as const)(
  'determines the last session before the news and the first after it from the marker: %s',
  (_, date, time, window) => {
    expect(show(marked(date, time))).toBe(window);
  },
);

test.each([
  ['before the open', '2026-05-12T11:00:00Z', '2026-05-11 2026-05-12 exact'],
  ['the millisecond before the close', '2026-05-12T19:59:59.999Z', '2026-05-11 2026-05-12 exact'],
  ['at the close', '2026-05-12T20:00:00Z', '2026-05-12 2026-05-13 exact'],
  ['before New York midnight', '2026-05-13T03:59:59Z', '2026-05-12 2026-05-13 exact'],
  ['after New York midnight', '2026-05-13T04:00:00Z', '2026-05-12 2026-05-13 exact'],
  ['short day, before 13:00', '2026-11-27T17:59:59Z', '2026-11-25 2026-11-27 exact'],
  ['short day, at 13:00', '2026-11-27T18:00:00Z', '2026-11-27 2026-11-30 exact'],
  ['on a Saturday', '2026-05-16T15:00:00Z', '2026-05-15 2026-05-18 exact'],
  ['on a holiday', '2026-11-26T15:00:00Z', '2026-11-25 2026-11-27 exact'],
])(
  'determines the last session before the news and the first after it from the instant: %s',
  (_, at, window) => {
    const release = { ...marked('2026-05-12', NONE), reportedAt: parseInstant(at) };
    expect(show(release)).toBe(window);
  },
);

test('applies a closure or early close entered by an operator to the release window', () => {
  const date = localDate('2026-05-12');
  const shut = marketCalendar([{ date, kind: 'closed', reason: 'Blizzard' }]);
  expect(show(marked('2026-05-12', PRE), shut)).toBe('2026-05-11 2026-05-13 session');
  const short = marketCalendar([
    { date, kind: 'early-close', close: clockTime('12:00'), reason: 'Blizzard' },
  ]);
  const noon = { ...marked('2026-05-12', NONE), reportedAt: parseInstant('2026-05-12T16:00:00Z') };
  expect(show(noon, short)).toBe('2026-05-12 2026-05-13 exact');
});

test.each([
  [
    'a filing hours after a pre-market release',
    PRE,
    '2026-05-12T21:00:00Z',
    '2026-05-11 2026-05-12 session',
  ],
  [
    'a filing at the open after a pre-market one',
    PRE,
    '2026-05-12T13:30:00Z',
    '2026-05-11 2026-05-12 session',
  ],
  ['a filing before that open', PRE, '2026-05-12T13:29:59Z', '2026-05-11 2026-05-12 exact'],
  ['a filing the evening before', PRE, '2026-05-11T21:00:00Z', '2026-05-11 2026-05-12 exact'],
  ['a filing in the session before', PRE, '2026-05-11T15:00:00Z', '2026-05-08 2026-05-11 exact'],
  [
    'a filing days after an evening release',
    AFTER,
    '2026-05-15T12:00:00Z',
    '2026-05-12 2026-05-13 session',
  ],
  ['a filing of the same evening', AFTER, '2026-05-12T20:05:00Z', '2026-05-12 2026-05-13 exact'],
  [
    'a morning filing with an evening marker',
    AFTER,
    '2026-05-12T11:00:00Z',
    '2026-05-11 2026-05-12 exact',
  ],
  [
    'a noon filing with an evening marker',
    AFTER,
    '2026-05-12T16:00:00Z',
    '2026-05-11 2026-05-12 exact',
  ],
  [
    'an evening filing after one marked in the session',
    DURING,
    '2026-05-12T20:30:00Z',
    '2026-05-11 2026-05-12 intraday',
  ],
] as const)(
  'chooses between a session marker captured before the release and %s',
  (_, time, at, window) => {
    const release = { ...marked('2026-05-12', time), reportedAt: parseInstant(at) };
    expect(show(release)).toBe(window);
  },
);

test('prefers any known instant to a session marker captured after the release', () => {
  const reportedAt = parseInstant('2026-05-12T21:00:00Z');
  const release = { ...marked('2026-05-12', PRE), reportedAt, markerAhead: false };
  expect(show(release)).toBe('2026-05-12 2026-05-13 exact');
});

test('prefers a marker for a day without trading to a later instant, but not to an earlier one', () => {
  const saturday = marked('2026-05-16', PRE);
  const onSunday = { ...saturday, reportedAt: parseInstant('2026-05-17T16:00:00Z') };
  expect(show(onSunday)).toBe('2026-05-15 2026-05-18 session');
  const onFriday = { ...saturday, reportedAt: parseInstant('2026-05-15T16:00:00Z') };
  expect(show(onFriday)).toBe('2026-05-14 2026-05-15 exact');
});
