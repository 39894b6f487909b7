import { describe, expect, it } from 'vitest';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseDollars } from '../../domain/dirty-number.ts';
import { readWith, requireSymbol, subjectOrNull } from './fields.ts';
import type { JsonObject } from './json.ts';
import { joinParsed, readRows } from './read-rows.ts';
import type { ParsedRow } from '../provider.ts';
import { refuseConflicts } from './refuse-conflicts.ts';

function readRow(row: JsonObject): ParsedRow {
  const symbol = requireSymbol(row, 's');
  const fields = {
    price: readWith(row, 'price', parseDollars),
    date: readWith(row, 'date', parseIsoDate),
  };
  return { dataset: 'profiles', subject: symbol, naturalKey: 'profile', fields };
}

function readAll(rows: unknown[]) {
  const subjectOf = (row: unknown) => subjectOrNull(row, 's');
  return readRows({ dataset: 'profiles', rows, subjectOf, read: readRow });
}

describe('readRows', () => {
  it('keeps every bad row with its reason, and every good one', () => {
    const rows = [
      { s: 'A', price: '$1' },
      { s: 'B', price: '€1' },
      { s: 'C', date: 'soon' },
      7,
      null,
    ];
    const { rows: good, bad } = readAll(rows);
    expect(good.map((row) => row.subject)).toEqual(['A']);
    expect(bad.map((row) => [row.subject, row.reason])).toEqual([
      ['B', 'bad-number'],
      ['C', 'bad-date'],
      [null, 'not-an-object'],
      [null, 'not-an-object'],
    ]);
    expect(bad.map((row) => row.row)).toEqual(rows.slice(1));
  });

  it('keeps a bad row in a form that can be stored', () => {
    const { bad } = readAll([{ s: 'A', price: 'a\0', 'k\ud800': ['\udc00'] }]);
    expect(bad.map((row) => row.row)).toEqual([
      { s: 'A', price: 'a\uFFFD', 'k\uFFFD': ['\uFFFD'] },
    ]);
  });

  it('lets a defect of the reader through', () => {
    const read = () => {
      throw new TypeError('a defect');
    };
    const loop = { dataset: 'profiles', rows: [{}], subjectOf: () => null, read } as const;
    expect(() => readRows(loop)).toThrow(TypeError);
  });

  it('joins results in order', () => {
    const joined = joinParsed([readAll([{ s: 'A' }]), readAll([{ s: 'B' }, 7])]);
    expect(joined.rows.map((row) => row.subject)).toEqual(['A', 'B']);
    expect(joined.bad).toHaveLength(1);
  });
});

describe('refuseConflicts', () => {
  it('keeps identical repeats', () => {
    const { rows, bad } = refuseConflicts(readAll([{ s: 'A' }, { s: 'A' }]));
    expect([rows.length, bad.length]).toEqual([2, 0]);
  });

  it('keeps the first of two rows that contradict each other, and names what differs', () => {
    const parsed = readAll([{ s: 'A', price: '$1' }, { s: 'A', price: '$2' }, { s: 'B' }]);
    const { rows, bad } = refuseConflicts(parsed);
    expect(rows.map((row) => row.subject)).toEqual(['A', 'B']);
    expect(bad.map((row) => [row.reason, row.detail])).toEqual([
      ['conflicting-duplicate', 'a second row of profile differs in price'],
    ]);
  });
});
