import { expect, it } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import { readCsv } from './csv.ts';
import { requireJson } from './json.ts';
import { isOversizedCsv, isOversizedJson } from './oversized.ts';

const MANY = 600_000;

it.each([
  ['open brackets', '['.repeat(MANY)],
  ['brackets within brackets', '['.repeat(MANY) + ']'.repeat(MANY)],
  ['objects within objects', '{"a":'.repeat(MANY) + '1' + '}'.repeat(MANY)],
  ['empty objects side by side', `[${'{},'.repeat(MANY)}{}]`],
  ['brackets behind a text with a quote', `["\\"", "[", ${'['.repeat(MANY)}`],
])('rejects JSON with %s before parsing, since it is oversized', (_, text) => {
  expect(isOversizedJson(text)).toBe(true);
  const response = responseOf(text);
  expect(response.json()).toBeUndefined();
  expect(() => requireJson(response)).toThrow(
    expect.objectContaining({ reason: 'overgrown-body' }),
  );
});

it.each([
  ['rows as terse as real ones', `[${'[320193,"A B","ABCD","NYSE"],'.repeat(MANY / 10)}[]]`],
  ['numbers side by side', `[${'1.25,'.repeat(MANY)}1]`],
  ['brackets in a text', JSON.stringify([`${'[{'.repeat(MANY)}\\"`])],
  ['small bodies, which are parsed for a precise error', '['.repeat(100_000)],
])('does not reject %s as oversized JSON', (_, text) => {
  expect(isOversizedJson(text)).toBe(false);
});

it.each([
  ['commas', 'a,b\n' + ','.repeat(MANY)],
  ['short lines', 'a,b\n' + 'x\n'.repeat(MANY)],
  ['short lines ending in CR', 'a,b\r' + 'x\r'.repeat(MANY)],
])('rejects a CSV table of mostly %s before parsing', (_, text) => {
  expect(isOversizedCsv(text)).toBe(true);
  expect(() => readCsv(text)).toThrow(expect.objectContaining({ reason: 'overgrown-body' }));
});

it('accepts a long CSV table', () => {
  const text = `symbol,date,close\n${'ABCD,2026-11-20,1.25\n'.repeat(MANY / 10)}`;
  expect(isOversizedCsv(text)).toBe(false);
  expect(readCsv(text).rows).toHaveLength(MANY / 10);
});

function responseOf(text: string) {
  const url = 'https://source.example/rows';
  return createSourceResponse({
    url,
    status: 200,
    contentType: 'application/json',
    observedAt: 0,
    text,
  });
}
