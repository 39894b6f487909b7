import { expect, it } from 'vitest';
import { toComparable } from './canonical-json.ts';

it('is equal for equal content whatever the order of keys', () => {
  expect(toComparable({ b: [1, { d: 1, c: null }], a: 'x' })).toBe(
    toComparable({ a: 'x', b: [1, { c: null, d: 1 }] }),
  );
});

it('differs where content differs, the order of lists included', () => {
  expect(toComparable({ a: [1, 2] })).not.toBe(toComparable({ a: [2, 1] }));
  expect(toComparable({ a: null })).not.toBe(toComparable({}));
});
