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

test('the first hint is followed at once, many after it once, when the pause is over', async () => {
  const { clock, begunAt, often } = world();
  for (let count = 0; count < 10; count += 1) often.trigger();
  expect(begunAt).toEqual([0]);
  await clock.advance(100);
  expect(begunAt).toEqual([0, 25]);
  often.trigger();
  expect(begunAt).toEqual([0, 25, 100]);
});

test('a hint that comes while it runs is not lost, and two never run at a time', async () => {
  const { clock, begunAt, often, last } = world();
  last(1_000);
  often.trigger();
  await clock.advance(500);
  often.trigger();
  expect(begunAt).toEqual([0]);
  await clock.advance(600);
  expect(begunAt).toEqual([0, 1_025]);
});

test('after its end nothing is done', async () => {
  const { clock, begunAt, often } = world();
  often.trigger();
  often.trigger();
  often.stop();
  await clock.advance(1_000);
  often.trigger();
  await clock.advance(1_000);
  expect(begunAt).toEqual([0]);
});
