import { describe, expect, it } from 'vitest';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseDollars } from '../../domain/dirty-number.ts';
import { readWith, requireSymbol, subjectOrNull } from './fields.ts';
import type { JsonObject } from './json.ts';
import { joinParsed, readRows } from './read-rows.ts';
import type { ParsedRow } from '../provider.ts';
import { rejectConflicts } from './reject-conflicts.ts';

function readRow(row: JsonObject): ParsedRow<'profiles'> {
  const symbol = requireSymbol(row, 's');
  const fields = {
    price: readWith(row, 'price', parseDollars),
    date: readWith(row, 'date', parseIsoDate),
  };
  return { dataset: 'profiles', entityKey: symbol, naturalKey: 'profile', fields };
}

function readAll(rows: unknown[]) {
  const subjectOf = (row: unknown) => subjectOrNull(row, 's');
  return readRows({ dataset: 'profiles', rows, entityKeyOf: subjectOf, read: readRow });
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
    expect(good.map((row) => row.entityKey)).toEqual(['A']);
    expect(bad.map((row) => [row.entityKey, row.reason])).toEqual([
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
    expect(joined.rows.map((row) => row.entityKey)).toEqual(['A', 'B']);
    expect(joined.bad).toHaveLength(1);
  });
});

describe('refuseConflicts', () => {
  it('keeps identical repeats', () => {
    const { rows, bad } = rejectConflicts(readAll([{ s: 'A' }, { s: 'A' }]));
    expect([rows.length, bad.length]).toEqual([2, 0]);
  });

  it('keeps the first of two rows that contradict each other, and names what differs', () => {
    const parsed = readAll([{ s: 'A', price: '$1' }, { s: 'A', price: '$2' }, { s: 'B' }]);
    const { rows, bad } = rejectConflicts(parsed);
    expect(rows.map((row) => row.entityKey)).toEqual(['A', 'B']);
    expect(bad.map((row) => [row.reason, row.detail])).toEqual([
      ['conflicting-duplicate', 'a second row of profile differs in price'],
    ]);
  });

  it('joins two rows where one leaves unknown what the other tells, whichever comes first', () => {
    const priced = { s: 'A', price: '$1' };
    const dated = { s: 'A', date: '2026-11-24' };
    const whole = { price: '1', date: '2026-11-24' };
    for (const order of [
      [priced, dated],
      [dated, priced],
    ]) {
      const { rows, bad } = rejectConflicts(readAll(order));
      expect(rows.map(({ fields }) => fields)).toEqual([whole, whole]);
      expect(bad).toEqual([]);
    }
  });

  it('takes a session marker for more than none, and the market value of either row', () => {
    const about = { dataset: 'earnings', subject: 'A', naturalKey: '2026-12' };
    const told = { ...about, fields: { time: 'time-pre-market' } };
    const quote = { symbol: 'A', marketCap: '1' };
    const untold = { ...about, fields: { time: 'time-not-supplied' }, quote };
    const whole = { ...told, quote };
    expect(rejectConflicts({ rows: [untold, told], bad: [] }).rows).toEqual([whole, whole]);
    expect(rejectConflicts({ rows: [told, untold], bad: [] }).rows).toEqual([whole, whole]);
  });

  it('joins nothing of a row that contradicts what earlier rows say together', () => {
    const rows = [
      { s: 'A', price: '$1' },
      { s: 'A', date: '2026-11-24' },
      { s: 'A', price: '$2', date: '2026-11-24' },
    ];
    const { rows: kept, bad } = rejectConflicts(readAll(rows));
    expect(kept.map(({ fields }) => fields)).toEqual([
      { price: '1', date: '2026-11-24' },
      { price: '1', date: '2026-11-24' },
    ]);
    expect(bad.map(({ detail }) => detail)).toEqual(['a second row of profile differs in price']);
  });

  it('joins no row that does not speak of a thing with one that does', () => {
    const about = { dataset: 'dividends', subject: 'A', naturalKey: 'ex:2026-11-24' };
    const rows = [
      { ...about, fields: { type: 'stock' } },
      { ...about, fields: { type: null, amount: '0.25' } },
    ];
    expect(rejectConflicts({ rows, bad: [] }).rows).toEqual(rows.slice(0, 1));
  });
});
