import { expect, test } from 'vitest';
import { formatDistance, formatHere, zoneHere } from './time.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY_S = 86_400;

test.each([
  [30 * DAY_S - 1, 'in 30 days'],
  [30 * DAY_S, 'in 30 days'],
  [-(2 * 3_600 + 50 * 60), '3 hours ago'],
  [3_600 - 20, 'in 1 hour'],
  [3_600 - 60, 'in 59 minutes'],
  [-59.6, '1 minute ago'],
  [-59.4, '59 seconds ago'],
  [DAY_S, 'in 1 day'],
  [-(30 * DAY_S + 15 * 3_600), '1 month ago'],
  [-365 * DAY_S, '1 year ago'],
  [0.4, 'now'],
])('formats an instant %d seconds from now as %s', (seconds, expected) => {
  expect(formatDistance(new Date(NOW + seconds * 1000).toISOString(), NOW)).toBe(expected);
});

test('returns the same local time zone name as formatHere, in winter and summer', () => {
  for (const instant of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']) {
    expect(zoneHere(instant)).not.toBe('');
    expect(formatHere(instant).endsWith(` ${zoneHere(instant)}`)).toBe(true);
  }
});
