import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines } from './read-lines.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}

async function read(text: string, size = 1_000): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(inChunks(new TextEncoder().encode(text), size)))
    lines.push(line);
  return lines;
}

test.each([
  ['nothing', '', []],
  ['both line ends', 'a\nb\r\n', ['a', 'b']],
  ['a last line without an end', 'a\nb', ['a', 'b']],
  ['empty lines', '\n\na\n', ['', '', 'a']],
  ['separators that are no line ends', 'a\u2028b\u2029c\u0085\n', ['a\u2028b\u2029c\u0085']],
])('splits input into lines, for %s', async (_, text, lines) => {
  expect(await read(text)).toEqual(lines);
});

test('splits input into the same lines regardless of how its bytes are chunked', async () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n\uFEFF]/g, ''));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 7 }), async (lines, size) => {
      expect(await read(lines.map((each) => `${each}\n`).join(''), size)).toEqual(lines);
    }),
  );
});
