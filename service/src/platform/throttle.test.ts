import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { throttle } from './throttle.ts';

function world() {
  const clock = fakeClock(0);
  const begunAt: number[] = [];
  let workMs = 0;
  const often = throttle(clock, 25, async () => {
    begunAt.push(clock.now());
    if (workMs > 0) await clock.sleep(workMs);
  });
  return { clock, begunAt, often, last: (ms: number) => void (workMs = ms) };
}

test('runs the work immediately on the first trigger, and once after the pause for any number of further triggers', async () => {
  const { clock, begunAt, often } = world();
  for (let count = 0; count < 10; count += 1) often.trigger();
  expect(begunAt).toEqual([0]);
  await clock.advance(100);
  expect(begunAt).toEqual([0, 25]);
  often.trigger();
  expect(begunAt).toEqual([0, 25, 100]);
});

test('remembers a trigger received during a run and never runs the work twice at the same time', async () => {
  const { clock, begunAt, often, last } = world();
  last(1_000);
  often.trigger();
  await clock.advance(500);
  often.trigger();
  expect(begunAt).toEqual([0]);
  await clock.advance(600);
  expect(begunAt).toEqual([0, 1_025]);
});

test('ignores triggers after the throttle is stopped', async () => {
  const { clock, begunAt, often } = world();
  often.trigger();
  often.trigger();
  often.stop();
  await clock.advance(1_000);
  often.trigger();
  await clock.advance(1_000);
  expect(begunAt).toEqual([0]);
});
