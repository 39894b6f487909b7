import { expect, test } from 'vitest';
import { localDate } from '../local-date.ts';
import { newYorkInstant } from '../new-york.ts';
import { sessionOf } from './session-of.ts';

test.each([
  ['2025-11-26', '09:29', 'time-pre-market'],
  ['2025-11-26', '09:30', 'time-during-market'],
  ['2025-11-26', '15:59', 'time-during-market'],
  ['2025-11-26', '16:00', 'time-after-hours'],
  // The session on the day after Thanksgiving ends at 13:00.
  ['2025-11-28', '12:59', 'time-during-market'],
  ['2025-11-28', '13:00', 'time-after-hours'],
  // Regular hours apply to a holiday and a Saturday.
  ['2025-11-27', '13:00', 'time-during-market'],
  ['2025-11-29', '16:00', 'time-after-hours'],
  // Before 1985, the session began at ten.
  ['1984-05-01', '09:45', 'time-pre-market'],
])('classifies the time of a report on %s at %s as %s', (date, time, expected) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  expect(sessionOf(newYorkInstant(localDate(date), hour * 60 + minute))).toBe(expected);
});
