import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import { waitForSlots } from './gather-slots.ts';
import { createInFlightLimit } from './slot-book.ts';

const CLAIMED = { customerId: 'cus', isSlow: false } as ClaimedDelivery;

test('with half of the slots free nobody waits', async () => {
  expect(await waitedMs({ inUse: 4, freed: [] })).toBe(0);
});

test('while slots become free it waits for half of them', async () => {
  expect(await waitedMs({ inUse: 8, freed: [1, 1, 2] })).toBe(15);
});

test('where they become free slowly it waits 25 ms', async () => {
  expect(await waitedMs({ inUse: 8, freed: [0, 1, 0, 1, 0, 1] })).toBe(25);
});

test('where none becomes free it waits 10 ms', async () => {
  expect(await waitedMs({ inUse: 7, freed: [] })).toBe(10);
});

test('whoever stops does not wait', async () => {
  expect(await waitedMs({ inUse: 8, freed: [], isStopping: true })).toBe(0);
});

/** How long it waits with eight slots, of which so many become free in each five milliseconds. */
async function waitedMs(given: {
  inUse: number;
  freed: readonly number[];
  isStopping?: boolean;
}): Promise<number> {
  const clock = fakeClock(0);
  const book = createInFlightLimit(8);
  for (let taken = 0; taken < given.inUse; taken += 1) book.take(CLAIMED);
  let isOver = false;
  const isStopping = () => given.isStopping === true;
  const done = waitForSlots({ clock, isStopping }, book).then(() => {
    isOver = true;
  });
  for (let step = 0; step < 10; step += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isOver) {
      await done;
      return step * 5;
    }
    for (let freed = 0; freed < (given.freed[step] ?? 0); freed += 1) book.free(CLAIMED);
    await clock.advance(5);
  }
  throw new Error('it waited on');
}
