import { parse } from 'csv-parse/sync';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { stubWorld } from '../../../test/support/stub-endpoints.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { endpoints } from '../../endpoints/registry.gen.ts';
import * as fields from '../../endpoints/schema/fields.ts';
import { csvShapeOf, renderCsv } from './csv.ts';

const [stub] = stubWorld().endpoints as [Endpoint];
const row = Type.Object({
  symbol: fields.symbol(),
  name: fields.nullable(fields.text('Issuer.')),
  eps: Type.Object({ actual: fields.nullable(fields.number('EPS.')) }),
  tags: fields.list(Type.String(), 'Marks.'),
});

function tableOf(change: Partial<Endpoint>, body: unknown): string[][] {
  const shape = csvShapeOf({ ...stub, ...change });
  if (shape === null) throw new Error('no table');
  return parse(renderCsv(shape, body), { record_delimiter: '\r\n' });
}

test('renders a row as a CSV line, with paths for nested members and semicolons between list items', () => {
  const body = [
    { symbol: 'ABCD', name: 'Bright, "Harbor"\nFoods', eps: { actual: -0.25 }, tags: ['a', 'b'] },
    { symbol: 'EFGH', name: null, eps: { actual: null }, tags: [] },
  ];
  expect(tableOf({ response: Type.Array(row) }, body)).toEqual([
    ['symbol', 'name', 'eps.actual', 'tags'],
    ['ABCD', 'Bright, "Harbor"\nFoods', '-0.25', 'a;b'],
    ['EFGH', '', '', ''],
  ]);
});

test('renders the column names of an empty response as CSV', () => {
  const shape = csvShapeOf({ ...stub, response: Type.Array(row) });
  expect(shape && renderCsv(shape, [])).toBe('symbol,name,eps.actual,tags\r\n');
});

test('renders the names of buckets as a CSV column, and several days as one table', () => {
  const day = Type.Object({
    date: fields.date('Day.'),
    up: Type.Array(row),
    down: Type.Array(row),
  });
  const change = { response: Type.Union([day, Type.Array(day)]), buckets: ['up', 'down'] };
  const company = (symbol: string) => ({ symbol, name: null, eps: { actual: 1 }, tags: [] });
  const first = { date: '2026-11-19', up: [company('AAA')], down: [company('BBB')] };
  const second = { date: '2026-11-20', up: [], down: [company('CCC')] };
  const lines = [
    ['up', 'AAA', '', '1', ''],
    ['down', 'BBB', '', '1', ''],
  ];
  expect(tableOf(change, first).slice(1)).toEqual(lines);
  expect(tableOf(change, [first, second]).slice(1)).toEqual([
    ...lines,
    ['down', 'CCC', '', '1', ''],
  ]);
});

test('renders nested rows as CSV lines, and keeps a row without nested rows', () => {
  const outer = Type.Object({
    symbol: fields.symbol(),
    days: Type.Array(Type.Object({ day: Type.Number() })),
  });
  const body = [
    { symbol: 'AAA', days: [{ day: 1 }, { day: 2 }] },
    { symbol: 'BBB', days: [] },
  ];
  expect(tableOf({ response: Type.Array(outer) }, body)).toEqual([
    ['symbol', 'days.day'],
    ['AAA', '1'],
    ['AAA', '2'],
    ['BBB', ''],
  ]);
});

describe('escapes a CSV cell that a spreadsheet would run as a formula', () => {
  test.each([
    ['=HYPERLINK("http://x.example")', '\'=HYPERLINK("http://x.example")'],
    ['+cmd|calc', "'+cmd|calc"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['-0.3%', '-0.3%'],
    ['-1,234.5K', '-1,234.5K'],
    ['Plain & Co.', 'Plain & Co.'],
  ])('renders %j as the CSV cell %j', (name, written) => {
    const body = [{ symbol: 'A', name, eps: { actual: null }, tags: [] }];
    expect(tableOf({ response: Type.Array(row) }, body)[1]?.[1]).toBe(written);
  });
});

test.each(endpoints.filter((endpoint) => csvShapeOf(endpoint) !== null))(
  'renders every CSV column of $name for its example and omits no cell',
  (endpoint) => {
    const shape = csvShapeOf(endpoint);
    if (shape === null) throw new Error('unreachable');
    const [names = [], ...lines] = parse(renderCsv(shape, endpoint.example));
    expect(names).toEqual(shape.columns);
    expect(new Set(names).size).toBe(names.length);
    expect(lines.length).toBeGreaterThan(0);
  },
);
