import fc from 'fast-check';

/** JSON values that break parsers: unstorable, not a number, not a date, or too long. */
const BAD_JSON_VALUES = [
  'null',
  '1e999',
  '-0',
  '""',
  '"N/A"',
  '"($99.99)"',
  '"9999-99-99"',
  '"0000-01-01"',
  '"\\u0000"',
  '"\\ud800"',
  'true',
  '7.5',
  '{}',
  '[]',
  '{"__proto__":1}',
  '"constructor"',
  `"${'9'.repeat(400)}"`,
  `${'['.repeat(60)}${']'.repeat(60)}`,
];
/** Other texts that make the body invalid JSON. */
const BAD_TEXTS = [
  ...BAD_JSON_VALUES,
  'NaN',
  '\uFEFF',
  '\0',
  '<html>',
  ',',
  '"',
  '\r\n',
  '['.repeat(2000),
];
/** Matches a key together with its colon, to distinguish it from a value. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d[\d.]*|null/g;
const CELL = /[^,\r\n"]+/g;

/**
 * Generates corrupted versions of a body: truncated, with a part removed or repeated, or with a bad
 * text inserted anywhere. For JSON, single values are also replaced, so that the text remains valid
 * JSON.
 */
export function mutations(text: string): fc.Arbitrary<string> {
  const position = fc.nat({ max: text.length });
  const badText = fc.constantFrom(...BAD_TEXTS);
  const cut = position.map((offset) => text.slice(0, offset));
  const removed = fc.tuple(position, fc.nat({ max: 40 })).map(([offset, length]) => {
    return text.slice(0, offset) + text.slice(offset + length);
  });
  const doubled = fc.tuple(position, fc.nat({ max: 400 })).map(([offset, length]) => {
    return text.slice(0, offset + length) + text.slice(offset);
  });
  const inserted = fc.tuple(position, badText).map(([offset, insertion]) => {
    return text.slice(0, offset) + insertion + text.slice(offset);
  });
  return fc.oneof(cut, removed, doubled, inserted, ...swaps(text));
}

/**
 * Replaces single JSON values, or cells in other formats. Half of all mutations are of this kind.
 */
function swaps(text: string): fc.Arbitrary<string>[] {
  const isJson = /^\s*[[{]/.test(text);
  const tokens = [...text.matchAll(isJson ? JSON_TOKEN : CELL)];
  const values = tokens.filter(([token]) => !isJson || !token.endsWith(':'));
  if (values.length === 0) return [];
  const badText = fc.constantFrom(...(isJson ? BAD_JSON_VALUES : BAD_TEXTS));
  const swap = fc.tuple(fc.constantFrom(...values), badText).map(([value, insertion]) => {
    return text.slice(0, value.index) + insertion + text.slice(value.index + value[0].length);
  });
  return [swap, swap, swap, swap];
}
