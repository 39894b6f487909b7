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

test('endpoints get one each in turn, in the order given', () => {
  const lanes = [lane('a', { dueCount: 1 }), lane('b'), lane('c')];
  expect(pick(lanes, slots(16, { free: 6 }))).toEqual({ a: 1, b: 3, c: 2 });
});

test('an endpoint gets eight at a time, those of other processes counted', () => {
  expect(pick([lane('a', { inFlight: 3 })], slots(100))).toEqual({ a: 5 });
  expect(pick([lane('a', { inFlight: 9 })], slots(100))).toEqual({});
});

test('an endpoint of the slow lane gets one at a time', () => {
  expect(pick([lane('a', { isSlow: true })], slots(100))).toEqual({ a: 1 });
  expect(pick([lane('a', { isSlow: true, inFlight: 1 })], slots(100))).toEqual({});
});

test('the slow lane gets half of the slots', () => {
  const lanes = Array.from({ length: 20 }, (_, i) => lane(`s${i}`, { isSlow: true }));
  expect(shareSlots(lanes, slots(16)).size).toBe(8);
  expect(shareSlots(lanes, slots(16, { slowInFlight: 6 })).size).toBe(2);
});

test('an account gets a quarter of the slots while another has due work', () => {
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

test('an account gets a quarter as well when the other has no lane among these', () => {
  const lanes = Array.from({ length: 10 }, (_, i) => lane(`a${i}`, { customerId: 'big' }));
  expect(sum(shareSlots(lanes, slots(32), new Set(['big', 'small'])))).toBe(8);
  expect(sum(shareSlots(lanes, slots(32), new Set(['big'])))).toBe(32);
});

test('an account alone with its work gets all of them', () => {
  const lanes = Array.from({ length: 10 }, (_, i) => lane(`a${i}`, { customerId: 'big' }));
  expect(sum(shareSlots(lanes, slots(32)))).toBe(32);
});

test('no rule is ever broken, and no slot stays free that a rule leaves free', () => {
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
