import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { FAILING_MS, LoopHealth, type LoopKind } from './loop-health.ts';

function loopOf(kind: LoopKind, options?: { isRequired: boolean }) {
  const clock = fakeClock(Date.parse('2026-11-20T15:00:00Z'));
  const health = new LoopHealth(clock);
  const reporter = health.add('send', kind, options);
  return { clock, health, reporter, isFailing: () => health.states()[0]?.isFailing };
}

test('a periodic loop is failing 30 seconds after its last success, also if it hangs', async () => {
  const { clock, health, reporter, isFailing } = loopOf('periodic');
  await clock.advance(FAILING_MS - 1);
  expect([isFailing(), health.areRequiredHealthy()]).toEqual([false, true]);
  reporter.succeeded();
  await clock.advance(FAILING_MS - 1);
  expect(isFailing()).toBe(false);
  await clock.advance(1);
  expect([isFailing(), health.areRequiredHealthy()]).toEqual([true, false]);
  reporter.succeeded();
  expect([isFailing(), health.areRequiredHealthy()]).toEqual([false, true]);
});

test('a retried loop may be silent, and is failing 30 seconds after the first of its failures', async () => {
  const { clock, health, reporter, isFailing } = loopOf('retried');
  await clock.advance(10 * FAILING_MS);
  expect(isFailing()).toBe(false);
  reporter.failed(new Error('no space left'));
  await clock.advance(FAILING_MS - 1);
  reporter.failed(new Error('still no space'));
  expect(isFailing()).toBe(false);
  await clock.advance(1);
  expect(health.states()).toEqual([
    {
      name: 'send',
      lastSuccessAt: null,
      failingSince: clock.now() - FAILING_MS,
      lastError: 'still no space',
      isFailing: true,
    },
  ]);
  reporter.succeeded();
  expect(health.states()[0]).toMatchObject({ failingSince: null, lastError: null });
});

test('a requested loop recovers without a success once nothing is requested', async () => {
  const { clock, reporter, isFailing } = loopOf('requested');
  for (let seconds = 0; seconds <= 40; seconds += 10) {
    reporter.failed(new Error('timeout'));
    await clock.advance(10_000);
  }
  expect(isFailing()).toBe(true);
  await clock.advance(FAILING_MS - 10_000);
  expect(isFailing()).toBe(false);
});

test('a loop that is not required leaves the process ready', async () => {
  const { clock, health, isFailing } = loopOf('periodic', { isRequired: false });
  await clock.advance(FAILING_MS);
  expect([isFailing(), health.areRequiredHealthy()]).toEqual([true, true]);
});
