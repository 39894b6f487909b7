import type { DividendWireRow } from './dividends.ts';

/**
 * Rows as sources get them wrong, made of sound ones: a day that is no day, and after a right row
 * the same with its point slipped to the right. None of them is shown to customers; an operator of a
 * sandbox sees by them what becomes of such rows. Empty without a sound row.
 */
export function slipsOf(rows: readonly DividendWireRow[]): DividendWireRow[] {
  const [first, second = first] = rows;
  if (first === undefined || second === undefined) return [];
  const slipped = (Number(first.amount) * 10).toFixed(3);
  return [{ ...second, exDate: 'to be announced' }, first, { ...first, amount: slipped }];
}
