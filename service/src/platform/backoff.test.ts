import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createBackoff } from './backoff.ts';

test('doubles the retry delay up to the maximum and resets it after a success', () => {
  const { failed, succeeded } = createBackoff({
    clock: fakeClock(0),
    minMs: 100,
    maxMs: 500,
    log: () => undefined,
  });
  expect([1, 2, 3, 4, 5].map((cause) => failed(cause))).toEqual([100, 200, 400, 500, 500]);
  succeeded();
  expect(failed('again')).toBe(100);
});

test('logs failures at most once a minute and counts the suppressed ones', async () => {
  const clock = fakeClock(0);
  const logged: unknown[] = [];
  const { failed, succeeded } = createBackoff({
    clock,
    minMs: 100,
    maxMs: 500,
    log: (facts) => logged.push(facts),
  });
  failed('first');
  succeeded();
  failed('second');
  await clock.advance(59_999);
  failed('third');
  expect(logged).toEqual([{ err: 'first', suppressed: 0 }]);
  await clock.advance(1);
  failed('fourth');
  expect(logged.slice(1)).toEqual([{ err: 'fourth', suppressed: 2 }]);
});
