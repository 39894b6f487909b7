import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { type DividendRow, exDateKey, numberSameDayDividends } from './dividend-keys.ts';

function row(symbol: string, amount: string | null): DividendRow {
  const exDate = localDate('2026-11-20');
  const fields = { symbol, exDate, amount };
  return { dataset: 'dividends', entityKey: symbol, naturalKey: exDateKey(exDate), fields };
}

test('distinguishes dividends with the same ex-date by amount, in any order', () => {
  const keys = (rows: DividendRow[]) =>
    new Map(
      numberSameDayDividends(rows).map(({ fields, naturalKey }) => [fields.amount, naturalKey]),
    );
  const expected = new Map([
    ['0.5', 'ex:2026-11-20'],
    ['15', 'ex:2026-11-20#2'],
  ]);
  expect(keys([row('MERD', '0.5'), row('MERD', '15')])).toEqual(expected);
  expect(new Map([...keys([row('MERD', '15'), row('MERD', '0.5')])].toReversed())).toEqual(
    expected,
  );
});

test('keeps the plain key for repeated dividends, other symbols and unknown amounts', () => {
  const rows = [row('MERD', '0.5'), row('MERD', '0.5'), row('PIKE', '2'), row('LARK', null)];
  const keys = numberSameDayDividends(rows).map(({ naturalKey }) => naturalKey);
  expect(new Set(keys)).toEqual(new Set(['ex:2026-11-20']));
});
