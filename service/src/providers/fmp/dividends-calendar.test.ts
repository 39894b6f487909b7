import { expect, test } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import { dividendsCalendar } from './dividends-calendar.ts';

const ROW = {
  symbol: 'HARB-B',
  date: '2026-11-24',
  recordDate: '2026-11-24',
  paymentDate: '2026-12-10',
  declarationDate: '',
  adjDividend: 0.0435,
  dividend: 0.087,
  yield: 1.2,
  frequency: 'Quarterly',
};

function parseRows(rows: unknown) {
  return dividendsCalendar.parse(
    createSourceResponse({
      url: 'https://financialmodelingprep.com/stable/dividends-calendar?from=2026-11-20',
      status: 200,
      contentType: 'application/json; charset=utf-8',
      observedAt: 0,
      text: JSON.stringify(rows),
    }),
  );
}

test('reads the declared dividend amount, and treats an empty date as null', () => {
  expect(parseRows([ROW]).rows).toEqual([
    {
      dataset: 'dividends',
      entityKey: 'HARB.B',
      naturalKey: 'ex:2026-11-24',
      fields: {
        symbol: 'HARB.B',
        exDate: '2026-11-24',
        recordDate: '2026-11-24',
        paymentDate: '2026-12-10',
        declarationDate: null,
        amount: '0.087',
        frequency: 'quarterly',
      },
    },
  ]);
});

test('recognizes a special dividend by its frequency', () => {
  const { rows } = parseRows([{ ...ROW, frequency: 'Special' }]);
  expect(rows[0]?.fields).toMatchObject({ type: 'special', frequency: 'none' });
});

test('maps an unknown dividend frequency to irregular', () => {
  const { rows } = parseRows([{ ...ROW, frequency: 'Bi-Monthly' }]);
  expect(rows[0]?.fields).toMatchObject({ amount: '0.087', frequency: 'irregular' });
});

test.each([
  [{ symbol: '0909.HK' }, 'foreign-symbol'],
  [{ date: '' }, 'missing-field'],
  [{ frequency: 'Now and then' }, 'unknown-word'],
  [{ dividend: -1 }, 'bad-number'],
])('rejects a dividend with %j as %s', (change, reason) => {
  expect(parseRows([{ ...ROW, ...change }]).bad.map((row) => row.reason)).toEqual([reason]);
});

test('marks a dividend calendar with the maximum number of rows as truncated and keeps its rows', () => {
  const full = Array.from({ length: 4000 }, (_, i) => ({ ...ROW, symbol: symbolOf(i) }));
  const { rows, bad } = parseRows(full);
  expect(rows).toHaveLength(4000);
  expect(bad).toMatchObject([{ dataset: 'dividends', entityKey: null, reason: 'answer-cut-off' }]);
  expect(parseRows(full.slice(1)).bad).toEqual([]);
});

function symbolOf(i: number): string {
  return `Q${[i % 26, Math.floor(i / 26) % 26, Math.floor(i / 676)].map(letter).join('')}`;
}

function letter(place: number): string {
  return String.fromCharCode(65 + place);
}
