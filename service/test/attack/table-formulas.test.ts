import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints/registry.gen.ts';
import { csvShapeOf, renderCsv } from '../../src/http/response/csv.ts';
import { runSize } from '../support/run-size.ts';

/** What a spreadsheet would run, or hand on to another program. */
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
/** What a spreadsheet passes over, or a reader of the table takes for an end. */
const LEADS = ['', ' ', '   ', '	', '\r', '\n', '\r\n', '\xA0', '﻿', '​', '‮', '\0', '⁠', '　'];
const PAYLOADS = LEADS.flatMap((lead) => FORMULAS.map((formula) => lead + formula));

/** What is run at the start of a cell, in one place for the check: the service has its own. */
const RUNS =
  /^[\s\u0000-\u001F\u007F\u00AD\u200B-\u200F\u202A-\u202E\u2060\uFEFF]*[=+\-@|%＝＋－＠]/u;

test(`${PAYLOADS.length} texts are no formula in any cell of any table, and can be read back`, () => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(200);
  expect(PAYLOADS.filter((payload) => !RUNS.test(payload))).toEqual([]);
  let cells = 0;
  for (const endpoint of endpoints) {
    const shape = csvShapeOf(endpoint);
    if (shape === null) continue;
    // Tables differ little: `npm test` shows each of them every third text.
    for (const payload of PAYLOADS.filter((_, at) => at % runSize({ slice: 3, whole: 1 }) === 0)) {
      const body = withTexts(endpoint.example, payload);
      const [, ...lines] = parse(renderCsv(shape, body), {
        record_delimiter: '\r\n',
      });
      for (const cell of lines.flat()) {
        if (cell === '' || !cell.includes(payload)) continue;
        cells += 1;
        if (RUNS.test(cell)) expect(cell, `${endpoint.name}: ${JSON.stringify(payload)}`).toBe('');
        // Taken to pieces at semicolons, as some do with every table, no piece is one either.
        const isList = cell !== `'${payload}`;
        const pieces = isList && !payload.includes(';') ? cell.split(';') : [];
        expect(pieces.filter((piece) => RUNS.test(piece))).toEqual([]);
      }
    }
  }
  console.log(`${cells} cells`);
  expect(cells).toBeGreaterThan(4 * PAYLOADS.length);
});

/** The body with every text in it replaced. */
function withTexts(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((inner) => withTexts(inner, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withTexts(inner, text)]),
  );
}
