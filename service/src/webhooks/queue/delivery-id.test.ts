import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../platform/random.ts';
import { deliveryIdFloor, makeDeliveryId } from './delivery-id.ts';

const LATEST = Date.parse('2999-12-31T00:00:00Z');

test('creates delivery IDs that have the prefix and need no quoting', () => {
  expect(makeDeliveryId(1_795_000_000_000, seededRandom(1))).toMatch(/^del_[0-9a-z]{29}$/);
});

test('creates delivery IDs that increase with time', () => {
  const instant = fc.integer({ min: 0, max: LATEST });
  fc.assert(
    fc.property(instant, instant, fc.integer(), (a, b, seed) => {
      const random = seededRandom(seed);
      const [idA, idB] = [makeDeliveryId(a, random), makeDeliveryId(b, random)];
      expect(idA).not.toBe(idB);
      if (a !== b) expect(idA < idB).toBe(a < b);
      expect(deliveryIdFloor(a) <= idA).toBe(true);
      expect(deliveryIdFloor(a + 1) > idA).toBe(true);
    }),
  );
});
