import { expect, test } from 'vitest';
import { formatInstant } from '../platform/instant.ts';
import { localDate } from './local-date.ts';
import { marketCalendar } from './market/calendar.ts';
import { releaseSlot } from './release-slot.ts';
import type { Release } from './release-window.ts';

const calendar = marketCalendar([
  { date: localDate('2026-11-24'), kind: 'late-open', open: 11 * 60, reason: 'Power failure' },
]);

test.each([
  ['before the open', '2026-11-20', 'time-pre-market', '13:00Z to 14:30Z'],
  ['before the open, in summer', '2026-07-15', 'time-pre-market', '12:00Z to 13:30Z'],
  ['before a late open', '2026-11-24', 'time-pre-market', '14:30Z to 16:00Z'],
  ['after the close', '2026-11-20', 'time-after-hours', '21:00Z to 22:30Z'],
  ['after an early close', '2026-11-27', 'time-after-hours', '18:00Z to 19:30Z'],
  ['in the session', '2026-11-20', 'time-during-market', '14:30Z to 21:00Z'],
  ['in a short session', '2026-11-27', 'time-during-market', '14:30Z to 18:00Z'],
  ['with an unknown session', '2026-11-20', 'time-not-supplied', 'all day'],
  ['before the open of a holiday', '2026-11-26', 'time-pre-market', 'all day'],
  ['after the close of a Saturday', '2026-11-21', 'time-after-hours', 'all day'],
] as const)('finds the calendar slot for a report %s', (_, date, time, expected) => {
  expect(shown({ date: localDate(date), time, reportedAt: null, markerAhead: true })).toBe(
    expected,
  );
});

test('starts the calendar slot of a report with a known instant at that instant, without guessing a session', () => {
  const reportedAt = Date.parse('2026-11-20T21:05:17Z');
  const release = { date: localDate('2026-11-20'), markerAhead: false, reportedAt };
  for (const time of ['time-after-hours', 'time-not-supplied'] as const) {
    expect(releaseSlot({ ...release, time }, calendar)).toEqual({
      from: reportedAt,
      to: reportedAt + 1_800_000,
    });
  }
});

test('ignores a filing that is hours later than the announced session', () => {
  const release: Release = {
    date: localDate('2026-11-20'),
    time: 'time-pre-market',
    markerAhead: true,
    reportedAt: Date.parse('2026-11-20T21:40:00Z'),
  };
  expect(shown(release)).toBe('13:00Z to 14:30Z');
});

function shown(release: Release): string {
  const slot = releaseSlot(release, calendar);
  if ('date' in slot) return slot.date === release.date ? 'all day' : slot.date;
  return [slot.from, slot.to].map(clockOf).join(' to ');

  function clockOf(at: number): string {
    const [day, time] = formatInstant(at).split('T');
    return day === release.date ? (time ?? '').replace(':00Z', 'Z') : formatInstant(at);
  }
}
