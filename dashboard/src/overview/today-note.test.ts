import { expect, test } from 'vitest';
import { todayNote } from './today-note.ts';

test.each([
  [{ holiday: 'Thanksgiving Day', closedReason: 'holiday' }, 'Thanksgiving Day. '],
  [{ holiday: 'Day after Thanksgiving', closedReason: null }, 'Day after Thanksgiving. '],
  [{ holiday: 'A storm closed the city.', closedReason: 'holiday' }, 'A storm closed the city. '],
  [{ holiday: null, closedReason: 'weekend' }, 'Weekend. '],
  [{ holiday: null, closedReason: 'outside-hours' }, ''],
  [{ holiday: null, closedReason: null }, ''],
] as const)('describes today, given %o, as %j', (day, expected) => {
  expect(todayNote(day)).toBe(expected);
});
