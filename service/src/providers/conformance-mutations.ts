import fc from 'fast-check';

/** Texts that break readers: not JSON, not storable, not numbers, not dates, not short. */
const POISON = [
  'NaN',
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
  '\uFEFF',
  '\0',
  '{}',
  '[]',
  '{"__proto__":1}',
  '"constructor"',
  '<html>',
  ',',
  '"',
  '\r\n',
  `"${'9'.repeat(400)}"`,
  '['.repeat(2000),
  `${'['.repeat(60)}${']'.repeat(60)}`,
];

/**
 * Damaged versions of a body: cut off, a stretch lost or doubled, poison put in anywhere, and for
 * JSON also single values replaced so that the text stays JSON.
 */
export function mutations(text: string): fc.Arbitrary<string> {
  const position = fc.nat({ max: text.length });
  const poison = fc.constantFrom(...POISON);
  const cut = position.map((at) => text.slice(0, at));
  const lost = fc.tuple(position, fc.nat({ max: 40 })).map(([at, length]) => {
    return text.slice(0, at) + text.slice(at + length);
  });
  const doubled = fc.tuple(position, fc.nat({ max: 400 })).map(([at, length]) => {
    return text.slice(0, at + length) + text.slice(at);
  });
  const poisoned = fc.tuple(position, poison).map(([at, bit]) => {
    return text.slice(0, at) + bit + text.slice(at);
  });
  return fc.oneof(cut, lost, doubled, poisoned, ...valueSwaps(text, poison));
}

/** Swaps of one value of JSON text, or of one cell of anything else, for poison. */
function valueSwaps(text: string, poison: fc.Arbitrary<string>): fc.Arbitrary<string>[] {
  const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d[\d.]*|null|[^,\r\n"]+/g)];
  if (values.length === 0) return [];
  const swap = fc.tuple(fc.constantFrom(...values), poison).map(([value, bit]) => {
    return text.slice(0, value.index) + bit + text.slice(value.index + value[0].length);
  });
  return [swap, swap, swap];
}
