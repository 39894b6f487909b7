import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, storableText } from './canonical-json.ts';

test('sorts keys at every depth by code unit', () => {
  expect(canonicalJson({ b: [{ z: 1, a: 2 }], B: null, a: true })).toBe(
    '{"B":null,"a":true,"b":[{"a":2,"z":1}]}',
  );
});

test('omits undefined properties and keeps null', () => {
  expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY]])('throws a RangeError for %s', (value) => {
  expect(() => canonicalJson({ value })).toThrow(RangeError);
});

test('writes minus zero as zero', () => {
  expect(canonicalJson([-0])).toBe(canonicalJson([0]));
});

test.each([
  ['a\0b', 'a\uFFFDb'],
  ['a\uD800b', 'a\uFFFDb'],
  ['a\u{1F600}b', 'a\u{1F600}b'],
])('replaces text that the database cannot store: %j', (text, storable) => {
  expect(storableText(text)).toBe(storable);
  expect(canonicalJson({ [text]: text })).toBe(JSON.stringify({ [storable]: storable }));
});

test('treats a key with the name of a built-in property like any other key', () => {
  const row: unknown = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}');
  expect(canonicalJson(row)).toBe('{"__proto__":{"x":1},"constructor":2}');
});

test('writes equal values as equal text, which parses back to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
    { seed: 20261120, numRuns: 200 },
  );
});

/** Returns the same value with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
