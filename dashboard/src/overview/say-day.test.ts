import { expect, test } from 'vitest';
import { sayDay } from './say-day.ts';

test.each([
  [{ holiday: 'Thanksgiving Day', closedReason: 'holiday' }, 'Thanksgiving Day. '],
  [{ holiday: 'Day after Thanksgiving', closedReason: null }, 'Day after Thanksgiving. '],
  [{ holiday: 'A storm closed the city.', closedReason: 'holiday' }, 'A storm closed the city. '],
  [{ holiday: null, closedReason: 'weekend' }, 'Weekend. '],
  [{ holiday: null, closedReason: 'outside-hours' }, ''],
  [{ holiday: null, closedReason: null }, ''],
] as const)('describes %o as %j', (day, said) => {
  expect(sayDay(day)).toBe(said);
});
