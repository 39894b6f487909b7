import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EndpointQueue, shareSlots, type Slots } from './scheduler.ts';

function queueOf(endpointId: string, overrides: Partial<EndpointQueue> = {}): EndpointQueue {
  return {
    endpointId,
    customerId: `cus_${endpointId}`,
    isSlow: false,
    dueCount: 100,
    inFlight: 0,
    ...overrides,
  };
}

function slots(total: number, overrides: Partial<Slots> = {}): Slots {
  return { total, free: total, slowInFlight: 0, inFlightByCustomer: new Map(), ...overrides };
}

function shares(queues: readonly EndpointQueue[], available: Slots): Record<string, number> {
  return Object.fromEntries(shareSlots(queues, available));
}

test('shares slots among endpoints round-robin, in queue order', () => {
  const queues = [queueOf('a', { dueCount: 1 }), queueOf('b'), queueOf('c')];
  expect(shares(queues, slots(16, { free: 6 }))).toEqual({ a: 1, b: 3, c: 2 });
});

test('limits an endpoint to eight slots, including those used by other processes', () => {
  expect(shares([queueOf('a', { inFlight: 3 })], slots(100))).toEqual({ a: 5 });
  expect(shares([queueOf('a', { inFlight: 9 })], slots(100))).toEqual({});
});

test('limits a slow endpoint to one slot', () => {
  expect(shares([queueOf('a', { isSlow: true })], slots(100))).toEqual({ a: 1 });
  expect(shares([queueOf('a', { isSlow: true, inFlight: 1 })], slots(100))).toEqual({});
});

test('limits all slow endpoints together to half of the slots', () => {
  const queues = Array.from({ length: 20 }, (_, i) => queueOf(`s${i}`, { isSlow: true }));
  expect(shareSlots(queues, slots(16)).size).toBe(8);
  expect(shareSlots(queues, slots(16, { slowInFlight: 6 })).size).toBe(2);
});

test('limits a customer to a quarter of the slots while another customer has due deliveries', () => {
  const queues = Array.from({ length: 10 }, (_, i) => queueOf(`a${i}`, { customerId: 'big' }));
  expect(sum(shareSlots([...queues, queueOf('b', { dueCount: 1 })], slots(32)))).toBe(8 + 1);
  const inFlightByCustomer = new Map([['big', 7]]);
  expect(
    sum(shareSlots([...queues, queueOf('b', { dueCount: 1 })], slots(32, { inFlightByCustomer }))),
  ).toBe(2);
});

test("limits a customer to a quarter of the slots even if the other customer's deliveries are not part of this claim", () => {
  const queues = Array.from({ length: 10 }, (_, i) => queueOf(`a${i}`, { customerId: 'big' }));
  expect(sum(shareSlots(queues, slots(32), new Set(['big', 'small'])))).toBe(8);
  expect(sum(shareSlots(queues, slots(32), new Set(['big'])))).toBe(32);
});

test('gives all slots to the only customer with due deliveries', () => {
  const queues = Array.from({ length: 10 }, (_, i) => queueOf(`a${i}`, { customerId: 'big' }));
  expect(sum(shareSlots(queues, slots(32)))).toBe(32);
});

test('never exceeds a slot limit and never leaves a slot free that a due delivery could use', () => {
  const anyLane = fc.record({
    customerId: fc.constantFrom('x', 'y', 'z'),
    isSlow: fc.boolean(),
    dueCount: fc.integer({ min: 0, max: 12 }),
    inFlight: fc.integer({ min: 0, max: 9 }),
  });
  fc.assert(
    fc.property(
      fc.array(anyLane, { maxLength: 30 }),
      fc.integer({ min: 1, max: 64 }),
      fc.integer({ min: 0, max: 64 }),
      (samples, total, used) => {
        const queues = samples.map((overrides, i) => queueOf(`e${i}`, overrides));
        const free = Math.max(0, total - used);
        const counts = shareSlots(queues, slots(total, { free }));
        const countOf = (queue: EndpointQueue): number => counts.get(queue.endpointId) ?? 0;
        const isShared =
          new Set(queues.filter((l) => l.dueCount > 0).map((l) => l.customerId)).size > 1;
        const slow = sumOf(
          queues.filter((l) => l.isSlow),
          countOf,
        );
        expect(sum(counts)).toBeLessThanOrEqual(free);
        expect(slow).toBeLessThanOrEqual(Math.max(1, Math.floor(total / 2)));
        for (const queue of queues) {
          const account = sumOf(
            queues.filter((l) => l.customerId === queue.customerId),
            countOf,
          );
          const accountMax = isShared ? Math.max(1, Math.floor(total / 4)) : total;
          expect(account).toBeLessThanOrEqual(accountMax);
          expect(countOf(queue)).toBeLessThanOrEqual(queue.dueCount);
          const laneMax = queue.isSlow ? 1 : 8;
          expect(countOf(queue)).toBeLessThanOrEqual(Math.max(0, laneMax - queue.inFlight));
          const couldHave =
            countOf(queue) < queue.dueCount &&
            countOf(queue) + queue.inFlight < laneMax &&
            account < accountMax &&
            (!queue.isSlow || slow < Math.max(1, Math.floor(total / 2)));
          if (sum(counts) < free) expect(couldHave).toBe(false);
        }
      },
    ),
  );
});

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function sumOf(
  queues: readonly EndpointQueue[],
  countOf: (queueOf: EndpointQueue) => number,
): number {
  return queues.reduce((total, queue) => total + countOf(queue), 0);
}
