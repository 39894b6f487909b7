import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import { InFlightLimit, slotsForClaim, waitForSlots } from './in-flight-limit.ts';

const TOTAL = 512;
const DELIVERY = { customerId: 'cus', isSlow: false } as ClaimedDelivery;

describe('slotsForClaim', () => {
  test.each([
    { name: 'starts a burst with an eighth of the slots', free: 512, unrecorded: 0, slots: 64 },
    {
      name: 'claims fewer deliveries while results are unrecorded',
      free: 512,
      unrecorded: 1_000,
      slots: 24,
    },
    { name: 'fills at most half of the slots', free: 511, unrecorded: 1, slots: 256 },
    { name: 'fills all free slots if there are few', free: 100, unrecorded: 412, slots: 100 },
    {
      name: 'claims nothing at two unrecorded results per slot',
      free: 300,
      unrecorded: 1_024,
      slots: 0,
    },
    {
      name: 'claims nothing above two unrecorded results per slot',
      free: 300,
      unrecorded: 1_030,
      slots: -6,
    },
  ])('$name', ({ free, unrecorded, slots }) => {
    const inFlightByCustomer = new Map([['cus', 1]]);
    const current = { total: TOTAL, free, slowInFlight: 3, inFlightByCustomer };
    expect(slotsForClaim(current, unrecorded)).toEqual({ ...current, free: slots });
  });

  test('claims deliveries even if there is only a single slot', () => {
    const inFlightByCustomer = new Map<string, number>();
    const current = { total: 1, free: 1, slowInFlight: 0, inFlightByCustomer };
    expect(slotsForClaim(current, 0).free).toBe(1);
  });
});

describe('waitForSlots', () => {
  test('does not wait before a claim if half of the slots are free', async () => {
    expect(await waitedMs({ inUse: 4, freed: [] })).toBe(0);
  });

  test('waits for half of the slots while slots are being freed', async () => {
    expect(await waitedMs({ inUse: 8, freed: [1, 1, 2] })).toBe(15);
  });

  test('waits at most 25 ms for free slots', async () => {
    expect(await waitedMs({ inUse: 8, freed: [0, 1, 0, 1, 0, 1] })).toBe(25);
  });

  test('stops waiting after 10 ms if no slot is freed', async () => {
    expect(await waitedMs({ inUse: 7, freed: [] })).toBe(10);
  });

  test('does not wait for free slots while the worker is stopping', async () => {
    expect(await waitedMs({ inUse: 8, freed: [], isStopping: true })).toBe(0);
  });
});

/**
 * Returns the time spent waiting with eight slots. `freed` is the number of slots freed in each 5
 * ms step.
 */
async function waitedMs(scenario: {
  inUse: number;
  freed: readonly number[];
  isStopping?: boolean;
}): Promise<number> {
  const clock = fakeClock(0);
  const limit = new InFlightLimit(8);
  for (let count = 0; count < scenario.inUse; count += 1) limit.acquire(DELIVERY);
  let isDone = false;
  const isStopping = () => scenario.isStopping === true;
  const wait = waitForSlots({ clock, isStopping }, limit).then(() => {
    isDone = true;
  });
  for (let step = 0; step < 10; step += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isDone) {
      await wait;
      return step * 5;
    }
    for (let count = 0; count < (scenario.freed[step] ?? 0); count += 1) limit.release(DELIVERY);
    await clock.advance(5);
  }
  throw new Error('the wait did not end');
}
