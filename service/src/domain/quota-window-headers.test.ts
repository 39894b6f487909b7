import { expect, test } from 'vitest';
import { FREE, PRO } from '../../test/support/quota-plans.ts';
import { quotaPeriodOf } from './quota-window.ts';
import { limitHeaders, longestWait } from './quota-window-headers.ts';
import type { UseReading } from './quota-window-use.ts';

// 15 h 9 min 33 s before New York midnight and ten days before the end of the month.
const now = Date.parse('2026-11-20T08:50:27-05:00');
const moment = { now, period: quotaPeriodOf(now) };
const { dayId, monthId } = moment.period;

function reading(used: [minute: number, day: number, month: number], freeMs: number): UseReading {
  const [minuteUsed, dayUsed, monthUsed] = used;
  return { minuteUsed, dayUsed, monthUsed, minuteFreeMs: freeMs, dayId, monthId };
}

test('shows every window of the plan in the rate limit headers, and the tightest one in the X-RateLimit headers', () => {
  expect(limitHeaders(FREE, reading([19, 13, 160], 32_001), moment)).toEqual([
    'RateLimit-Policy',
    '"minute";q=60;w=60, "day";q=100, "month";q=1000',
    'RateLimit',
    '"minute";r=41;t=33, "day";r=87;t=54573, "month";r=840;t=918573',
    'X-RateLimit-Limit',
    '60',
    'X-RateLimit-Remaining',
    '41',
    'X-RateLimit-Reset',
    String(now / 1e3 + 33),
  ]);
});

test('shows only the minute in the rate limit headers for a plan that limits nothing else', () => {
  expect(limitHeaders(PRO, reading([1, 0, 0], 60_000), moment)).toEqual([
    'RateLimit-Policy',
    '"minute";q=300;w=60',
    'RateLimit',
    '"minute";r=299;t=60',
    'X-RateLimit-Limit',
    '300',
    'X-RateLimit-Remaining',
    '299',
    'X-RateLimit-Reset',
    String(now / 1e3 + 60),
  ]);
});

// Number of requests used in the minute, day and month, and the limit shown in the X-RateLimit
// headers.
const TIGHTEST: [string, [number, number, number], string][] = [
  ['the window with the fewest remaining', [10, 90, 100], '100'],
  ['the day on a tie of minute and day', [50, 90, 100], '100'],
  ['the month on a tie of day and month', [0, 90, 990], '1000'],
  ['the month on a tie of all', [50, 90, 990], '1000'],
  ['the minute if it has the fewest', [59, 90, 100], '60'],
];

test.each(TIGHTEST)('selects the window for the X-RateLimit headers: %s', (_, used, limit) => {
  const headers = limitHeaders(FREE, reading(used, 30_000), moment);
  expect(headers[headers.indexOf('X-RateLimit-Limit') + 1]).toBe(limit);
});

test('returns the longest wait among the exhausted windows, rounded up to seconds', () => {
  const full = reading([60, 100, 500], 1_001);
  expect(longestWait(FREE, ['minute'], full, moment)).toEqual({
    window: 'minute',
    limit: 60,
    resetAt: now + 1001,
    retryAfterSeconds: 2,
  });
  expect(longestWait(FREE, ['minute', 'day'], full, moment)).toEqual({
    window: 'day',
    limit: 100,
    resetAt: moment.period.dayEndsAt,
    retryAfterSeconds: 54573,
  });
});

test('just before midnight, returns the wait for the minute if it is longer than the wait for the day', () => {
  const late = moment.period.dayEndsAt - 500;
  const wait = longestWait(FREE, ['minute', 'day'], reading([60, 100, 500], 40_000), {
    now: late,
    period: quotaPeriodOf(late),
  });
  expect(wait).toEqual({
    window: 'minute',
    limit: 60,
    resetAt: late + 40_000,
    retryAfterSeconds: 40,
  });
});

test('waits until the end of the latest counted day after the clock has moved back', () => {
  const ahead = { ...reading([1, 100, 100], 60_000), dayId: dayId + 1 };
  const wait = longestWait(FREE, ['day'], ahead, moment);
  expect(wait.resetAt).toBe(Date.parse('2026-11-22T00:00:00-05:00'));
});
