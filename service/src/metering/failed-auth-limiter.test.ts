import { expect, test } from 'vitest';
import { seededRandom } from '../platform/random.ts';
import { createFailedAuthLimiter } from './failed-auth-limiter.ts';

function manualClock() {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  return clock;
}

test('allows each address a burst of failed keys and then one failure per refill interval', () => {
  const clock = manualClock();
  const limiter = createFailedAuthLimiter({ clock, burst: 5, perMinute: 6 });
  for (let count = 0; count < 5; count += 1) {
    expect(limiter.waitSeconds('192.0.2.1')).toBe(0);
    limiter.recordFailure('192.0.2.1');
  }
  expect(limiter.waitSeconds('192.0.2.1')).toBe(10);
  expect(limiter.waitSeconds('192.0.2.2')).toBe(0);
  clock.nowMs = 9_999;
  expect(limiter.waitSeconds('192.0.2.1')).toBe(1);
  clock.nowMs = 10_000;
  expect(limiter.waitSeconds('192.0.2.1')).toBe(0);
  limiter.recordFailure('192.0.2.1');
  expect(limiter.waitSeconds('192.0.2.1')).toBe(10);
});

test('blocks nearly all of the hundred thousand junk keys that one address sends within an hour', () => {
  const clock = manualClock();
  const limiter = createFailedAuthLimiter({ clock });
  let lookedAt = 0;
  for (let count = 0; count < 100_000; count += 1) {
    clock.nowMs = (count / 100_000) * 3_600_000;
    if (limiter.waitSeconds('2001:db8::1') > 0) continue;
    lookedAt += 1;
    limiter.recordFailure('2001:db8::1');
  }
  // At most 60 keys in the initial burst and then 30 per minute.
  expect(lookedAt).toBeGreaterThan(1_800);
  expect(lookedAt).toBeLessThanOrEqual(60 + 30 * 60);
});

test('counts failed keys from all addresses in an IPv6 /64 together', () => {
  const limiter = createFailedAuthLimiter({ clock: manualClock(), burst: 3 });
  for (const host of ['::1', '::2', ':0:0:a:b']) limiter.recordFailure(`2001:db8:1:2${host}`);
  expect(limiter.waitSeconds('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBeGreaterThan(0);
  expect(limiter.waitSeconds('2001:db8:1:3::1')).toBe(0);
});

test('remembers only the most recent addresses when keys from fifty thousand addresses fail', () => {
  const clock = manualClock();
  const limiter = createFailedAuthLimiter({ clock, burst: 1, addressesMax: 1_000 });
  const random = seededRandom(7);
  for (let count = 0; count < 50_000; count += 1) {
    limiter.recordFailure([10, random.int(256), random.int(256), random.int(256)].join('.'));
    if (count % 1_000 === 0) limiter.recordFailure('192.0.2.1');
    if (limiter.size > 1_000) expect(limiter.size).toBe(1_000);
  }
  expect(limiter.size).toBe(1_000);
  expect(limiter.waitSeconds('192.0.2.1')).toBeGreaterThan(0);
});

test('forgets addresses whose allowance has been completely refilled', () => {
  const clock = manualClock();
  const limiter = createFailedAuthLimiter({ clock, burst: 2, perMinute: 2 });
  limiter.recordFailure('192.0.2.1');
  limiter.recordFailure('192.0.2.2');
  clock.nowMs = 60_000;
  limiter.recordFailure('192.0.2.3');
  expect(limiter.size).toBe(1);
});
