import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints/registry.gen.ts';
import { csvShapeOf, renderCsv } from '../../src/http/response/csv.ts';
import { runSize } from '../support/run-size.ts';

/** Text that a spreadsheet would run or pass to another program. */
const FORMULAS = [
  '=1+1',
  '=HYPERLINK("https://pay.example","Pay")',
  `=cmd|' /C calc'!A0`,
  '=WEBSERVICE("x")',
  '+1+1',
  '+cmd|calc',
  '-1+1',
  '-2+3+cmd|calc',
  '@SUM(A1:A9)',
  '@=1',
  '|calc',
  '%0A=1',
  '＝1+1',
  '＋1',
  '－1+1',
  '＠SUM(A1)',
  '=-+@1',
  '="a""b"',
  '=\0A1',
  '=DDE("a";"b";"c")',
];
/** Prefixes that a spreadsheet ignores or that a CSV reader treats as a line end. */
const LEADS = ['', ' ', '   ', '	', '\r', '\n', '\r\n', '\xA0', '﻿', '​', '‮', '\0', '⁠', '　'];
const PAYLOADS = LEADS.flatMap((lead) => FORMULAS.map((formula) => lead + formula));

/** Detects a formula at the start of a cell. Written independently of the service's own pattern. */
const RUNS =
  /^[\s\u0000-\u001F\u007F\u00AD\u200B-\u200F\u202A-\u202E\u2060\uFEFF]*[=+\-@|%＝＋－＠]/u;

test(`writes no formula into any CSV cell for ${PAYLOADS.length} texts, and keeps the texts parseable`, () => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(200);
  expect(PAYLOADS.filter((payload) => !RUNS.test(payload))).toEqual([]);
  let cells = 0;
  for (const endpoint of endpoints) {
    const shape = csvShapeOf(endpoint);
    if (shape === null) continue;
    // The endpoints differ little, so `npm test` uses only every third text per endpoint.
    for (const payload of PAYLOADS.filter((_, at) => at % runSize({ slice: 3, whole: 1 }) === 0)) {
      const body = replaceStrings(endpoint.example, payload);
      const [, ...lines] = parse(renderCsv(shape, body), {
        record_delimiter: '\r\n',
      });
      for (const cell of lines.flat()) {
        if (cell === '' || !cell.includes(payload)) continue;
        cells += 1;
        if (RUNS.test(cell)) expect(cell, `${endpoint.name}: ${JSON.stringify(payload)}`).toBe('');
        // Some spreadsheets also split cells at semicolons. No resulting piece may be a formula.
        const isList = cell !== `'${payload}`;
        const pieces = isList && !payload.includes(';') ? cell.split(';') : [];
        expect(pieces.filter((piece) => RUNS.test(piece))).toEqual([]);
      }
    }
  }
  console.log(`${cells} cells`);
  expect(cells).toBeGreaterThan(4 * PAYLOADS.length);
});

/** Returns a copy of the body with every string replaced. */
function replaceStrings(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((inner) => replaceStrings(inner, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaceStrings(inner, text)]),
  );
}
