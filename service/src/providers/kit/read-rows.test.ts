import { describe, expect, it } from 'vitest';
import type { DividendObservation } from '../../datasets/dividends/observation.ts';
import type { SessionMarker } from '../../datasets/earnings/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseDollars } from '../../domain/dirty-number.ts';
import { localDate } from '../../domain/local-date.ts';
import { entityKeyOrNull, readWith, requireSymbol } from './fields.ts';
import type { JsonObject } from './json.ts';
import { joinParsed, readRows } from './read-rows.ts';
import type { ParsedRow } from '../provider.ts';
import { rejectConflicts } from './reject-conflicts.ts';

const EX_DATE = localDate('2026-11-24');

function readRow(row: JsonObject): ParsedRow<'dividends'> {
  const symbol = requireSymbol(row, 's');
  const fields = {
    symbol,
    exDate: EX_DATE,
    amount: readWith(row, 'amount', parseDollars),
    recordDate: readWith(row, 'date', parseIsoDate),
  };
  return { dataset: 'dividends', entityKey: symbol, naturalKey: 'dividend', fields };
}

function readAll(rows: unknown[]) {
  const entityKeyOf = (row: unknown) => entityKeyOrNull(row, 's');
  return readRows({ dataset: 'dividends', rows, entityKeyOf, read: readRow });
}

describe('readRows', () => {
  it('keeps every invalid row with its reason, and every valid row', () => {
    const rows = [
      { s: 'A', amount: '$1' },
      { s: 'B', amount: '€1' },
      { s: 'C', date: 'soon' },
      7,
      null,
    ];
    const { rows: validRows, bad } = readAll(rows);
    expect(validRows.map((row) => row.entityKey)).toEqual(['A']);
    expect(bad.map((row) => [row.entityKey, row.reason])).toEqual([
      ['B', 'bad-number'],
      ['C', 'bad-date'],
      [null, 'not-an-object'],
      [null, 'not-an-object'],
    ]);
    expect(bad.map((row) => row.row)).toEqual(rows.slice(1));
  });

  it('converts an invalid row to a storable form', () => {
    const { bad } = readAll([{ s: 'A', amount: 'a\0', 'k\ud800': ['\udc00'] }]);
    expect(bad.map((row) => row.row)).toEqual([
      { s: 'A', amount: 'a\uFFFD', 'k\uFFFD': ['\uFFFD'] },
    ]);
  });

  it('rethrows errors that indicate a defect in the row reader', () => {
    const read = (): ParsedRow<'dividends'> => {
      throw new TypeError('a defect');
    };
    const loop = { rows: [{}], entityKeyOf: () => null, read };
    expect(() => readRows({ ...loop, dataset: 'dividends' })).toThrow(TypeError);
  });

  it('concatenates parse results in order', () => {
    const joined = joinParsed([readAll([{ s: 'A' }]), readAll([{ s: 'B' }, 7])]);
    expect(joined.rows.map((row) => row.entityKey)).toEqual(['A', 'B']);
    expect(joined.bad).toHaveLength(1);
  });
});

describe('rejectConflicts', () => {
  it('keeps identical repeats of a row', () => {
    const { rows, bad } = rejectConflicts(readAll([{ s: 'A' }, { s: 'A' }]));
    expect([rows.length, bad.length]).toEqual([2, 0]);
  });

  it('keeps the first of two conflicting rows and lists the differing fields', () => {
    const parsed = readAll([{ s: 'A', amount: '$1' }, { s: 'A', amount: '$2' }, { s: 'B' }]);
    const { rows, bad } = rejectConflicts(parsed);
    expect(rows.map((row) => row.entityKey)).toEqual(['A', 'B']);
    expect(bad.map((row) => [row.reason, row.detail])).toEqual([
      ['conflicting-duplicate', 'a second row of dividend differs in amount'],
    ]);
  });

  it('merges two rows with the same key if either has missing values, in any order', () => {
    const priced = { s: 'A', amount: '$1' };
    const dated = { s: 'A', date: '2026-11-24' };
    const merged = { symbol: 'A', exDate: EX_DATE, amount: '1', recordDate: '2026-11-24' };
    for (const order of [
      [priced, dated],
      [dated, priced],
    ]) {
      const { rows, bad } = rejectConflicts(readAll(order));
      expect(rows.map(({ fields }) => fields)).toEqual([merged, merged]);
      expect(bad).toEqual([]);
    }
  });

  it('prefers a known session when merging rows, and keeps the market value from either row', () => {
    const row = (time: SessionMarker): ParsedRow<'earnings'> => ({
      dataset: 'earnings',
      entityKey: 'A',
      naturalKey: '2026-12',
      fields: { kind: 'calendar', symbol: 'A', date: EX_DATE, time },
    });
    const withSession = row('time-pre-market');
    const quote = { symbol: 'A', marketCap: '1' };
    const withoutSession = { ...row('time-not-supplied'), quote };
    const merged = { ...withSession, quote };
    expect(rejectConflicts({ rows: [withoutSession, withSession], bad: [] }).rows).toEqual([
      merged,
      merged,
    ]);
    expect(rejectConflicts({ rows: [withSession, withoutSession], bad: [] }).rows).toEqual([
      merged,
      merged,
    ]);
  });

  it('ignores all values from a row that conflicts with previously merged rows', () => {
    const rows = [
      { s: 'A', amount: '$1' },
      { s: 'A', date: '2026-11-24' },
      { s: 'A', amount: '$2', date: '2026-11-24' },
    ];
    const { rows: accepted, bad } = rejectConflicts(readAll(rows));
    expect(accepted.map(({ fields }) => fields)).toEqual([
      { symbol: 'A', exDate: EX_DATE, amount: '1', recordDate: '2026-11-24' },
      { symbol: 'A', exDate: EX_DATE, amount: '1', recordDate: '2026-11-24' },
    ]);
    expect(bad.map(({ detail }) => detail)).toEqual(['a second row of dividend differs in amount']);
  });

  it('does not merge two rows if a field is absent from only one of them', () => {
    const row = (fields: Partial<DividendObservation>): ParsedRow<'dividends'> => ({
      dataset: 'dividends',
      entityKey: 'A',
      naturalKey: 'ex:2026-11-24',
      fields: { symbol: 'A', exDate: EX_DATE, ...fields },
    });
    const rows = [row({ type: 'stock' }), row({ type: null, amount: '0.25' })];
    expect(rejectConflicts({ rows, bad: [] }).rows).toEqual(rows.slice(0, 1));
  });
});
