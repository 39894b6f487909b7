import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

it('returns equal text for values with equal content, regardless of key order', () => {
  expect(canonicalJson({ b: [1, { d: 1, c: null }], a: 'x' })).toBe(
    canonicalJson({ a: 'x', b: [1, { c: null, d: 1 }] }),
  );
});

it('returns different text for values with different content, including a different list order', () => {
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
  expect(canonicalJson({ a: null })).not.toBe(canonicalJson({}));
});
