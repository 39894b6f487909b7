import { type Amount, currencySign } from './amount.ts';
import type { TableColumn } from './columns.ts';
import { currenciesOf } from './scale.ts';

/** Dollars of other countries, which a bare dollar sign can mean too. */
const DOLLARS = ['USD', 'CAD', 'AUD', 'HKD', 'TWD', 'SGD'];

/**
 * Returns the currency of an amount: that of its cell, of its column, of its table, or of the
 * document, whichever names one first.
 */
export function figureCurrency(place: {
  cell: Amount;
  column: TableColumn;
  title: string;
  document: string;
}): string {
  const { cell, column, title, document } = place;
  const sign = currencySign(cell.text);
  if (sign !== null && sign !== '$') return cell.currency ?? document;
  const heads = currenciesOf(column.ownHead);
  if (heads.length === 1) return heads[0] ?? document;
  if (sign === '$') return DOLLARS.includes(document) ? document : 'USD';
  const titles = currenciesOf(title);
  return titles.length === 1 ? (titles[0] ?? document) : document;
}

/**
 * Keeps the columns in the document's currency, if others repeat the quarter in another one. Some
 * companies translate their results to dollars for convenience.
 */
export function inDocumentCurrency<T extends { column: TableColumn }>(
  columns: readonly T[],
  document: string,
): T[] {
  const named = columns.map(({ column }) => currenciesOf(column.ownHead));
  const codes = new Set(named.flat());
  if (codes.size < 2 || !codes.has(document)) return [...columns];
  return columns.filter((_, index) => named[index]?.includes(document) ?? false);
}
