import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

it('is equal for equal content, whatever the key order', () => {
  expect(canonicalJson({ b: [1, { d: 1, c: null }], a: 'x' })).toBe(
    canonicalJson({ a: 'x', b: [1, { c: null, d: 1 }] }),
  );
});

it('differs if the content differs, including the order of lists', () => {
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
  expect(canonicalJson({ a: null })).not.toBe(canonicalJson({}));
});
