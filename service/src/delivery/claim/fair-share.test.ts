import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EndpointQueue, shareSlots, type Slots } from './scheduler.ts';

function lane(endpointId: string, over: Partial<EndpointQueue> = {}): EndpointQueue {
  return {
    endpointId,
    customerId: `cus_${endpointId}`,
    isSlow: false,
    dueCount: 100,
    inFlight: 0,
    ...over,
  };
}

function slots(total: number, over: Partial<Slots> = {}): Slots {
  return { total, free: total, slowInFlight: 0, inFlightByCustomer: new Map(), ...over };
}

function pick(lanes: readonly EndpointQueue[], given: Slots): Record<string, number> {
  return Object.fromEntries(shareSlots(lanes, given));
}

test('shares slots round-robin in the order of the queues', () => {
  const lanes = [lane('a', { dueCount: 1 }), lane('b'), lane('c')];
  expect(pick(lanes, slots(16, { free: 6 }))).toEqual({ a: 1, b: 3, c: 2 });
});

test('limits an endpoint to eight slots, including those of other processes', () => {
  expect(pick([lane('a', { inFlight: 3 })], slots(100))).toEqual({ a: 5 });
  expect(pick([lane('a', { inFlight: 9 })], slots(100))).toEqual({});
});

test('limits a slow endpoint to one slot', () => {
  expect(pick([lane('a', { isSlow: true })], slots(100))).toEqual({ a: 1 });
  expect(pick([lane('a', { isSlow: true, inFlight: 1 })], slots(100))).toEqual({});
});

test('limits all slow endpoints together to half of the slots', () => {
  const lanes = Array.from({ length: 20 }, (_, i) => lane(`s${i}`, { isSlow: true }));
  expect(shareSlots(lanes, slots(16)).size).toBe(8);
  expect(shareSlots(lanes, slots(16, { slowInFlight: 6 })).size).toBe(2);
});

test('limits a customer to a quarter of the slots while another has due deliveries', () => {
  const lanes = Array.from({ length: 10 }, (_, i) => lane(`a${i}`, { customerId: 'big' }));
  expect(sum(shareSlots([...lanes, lane('b', { dueCount: 1 })], slots(32)))).toBe(8 + 1);
  const inFlightByCustomer = new Map([['big', 7]]);
  expect(
    sum(
      shareSlots(
        [...lanes, lane('b', { dueCount: 1 })],
        slots(32, { inFlightByCustomer: inFlightByCustomer }),
      ),
    ),
  ).toBe(2);
});

test('limits a customer to a quarter even if the other has no queue in this claim', () => {
  const lanes = Array.from({ length: 10 }, (_, i) => lane(`a${i}`, { customerId: 'big' }));
  expect(sum(shareSlots(lanes, slots(32), new Set(['big', 'small'])))).toBe(8);
  expect(sum(shareSlots(lanes, slots(32), new Set(['big'])))).toBe(32);
});

test('gives all slots to the only customer with due deliveries', () => {
  const lanes = Array.from({ length: 10 }, (_, i) => lane(`a${i}`, { customerId: 'big' }));
  expect(sum(shareSlots(lanes, slots(32)))).toBe(32);
});

test('never breaks a limit and leaves no slot free without need', () => {
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
      (made, total, used) => {
        const lanes = made.map((over, i) => lane(`e${i}`, over));
        const free = Math.max(0, total - used);
        const picked = shareSlots(lanes, slots(total, { free }));
        const of = (one: EndpointQueue): number => picked.get(one.endpointId) ?? 0;
        const isShared =
          new Set(lanes.filter((l) => l.dueCount > 0).map((l) => l.customerId)).size > 1;
        const slow = sumOf(
          lanes.filter((l) => l.isSlow),
          of,
        );
        expect(sum(picked)).toBeLessThanOrEqual(free);
        expect(slow).toBeLessThanOrEqual(Math.max(1, Math.floor(total / 2)));
        for (const one of lanes) {
          const account = sumOf(
            lanes.filter((l) => l.customerId === one.customerId),
            of,
          );
          const accountMax = isShared ? Math.max(1, Math.floor(total / 4)) : total;
          expect(account).toBeLessThanOrEqual(accountMax);
          expect(of(one)).toBeLessThanOrEqual(one.dueCount);
          const laneMax = one.isSlow ? 1 : 8;
          expect(of(one)).toBeLessThanOrEqual(Math.max(0, laneMax - one.inFlight));
          const couldHave =
            of(one) < one.dueCount &&
            of(one) + one.inFlight < laneMax &&
            account < accountMax &&
            (!one.isSlow || slow < Math.max(1, Math.floor(total / 2)));
          if (sum(picked) < free) expect(couldHave).toBe(false);
        }
      },
    ),
  );
});

function sum(picked: ReadonlyMap<string, number>): number {
  return [...picked.values()].reduce((total, count) => total + count, 0);
}

function sumOf(lanes: readonly EndpointQueue[], of: (lane: EndpointQueue) => number): number {
  return lanes.reduce((total, one) => total + of(one), 0);
}
