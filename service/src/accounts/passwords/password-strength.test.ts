import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { QueueFullError } from '../../platform/bounded-queue.ts';
import { estimateGuesses } from './password-strength.ts';

/** Takes zxcvbn some 70 ms. */
const SLOW = 'password1234567890qwertyuiop'.repeat(2);

test('serves other events while it estimates a password', async () => {
  await estimateGuesses({ password: 'a warm start', words: [] });
  let isDone = false;
  let turns = 0;
  const estimating = estimateGuesses({ password: SLOW, words: [] }).finally(() => (isDone = true));
  for (; !isDone; turns += 1) await setImmediate();
  expect(await estimating).toBeGreaterThan(0);
  expect(turns).toBeGreaterThan(20);
});

test('rejects most of a flood of passwords at once', async () => {
  const flood = Array.from({ length: 100 }, () => estimateGuesses({ password: 'abc', words: [] }));
  const outcomes = await Promise.allSettled(flood);
  const rejected = outcomes.filter(({ status }) => status === 'rejected');
  expect(rejected).toHaveLength(79);
  for (const { reason } of rejected as PromiseRejectedResult[]) {
    expect(reason).toBeInstanceOf(QueueFullError);
  }
});
