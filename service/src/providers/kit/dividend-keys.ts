import { compareDecimals } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { ParsedRow, ParseResult } from '../provider.ts';

export type DividendRow = ParsedRow<'dividends'>;

/** Returns the key for a symbol's dividend: `ex:2026-11-20`. */
export function exDateKey(exDate: LocalDate): string {
  return `ex:${exDate}`;
}

/**
 * Distinguishes dividends for one symbol with the same ex-date, such as a regular and a special
 * one. The smallest amount keeps the plain key; the others get `ex:2026-11-20#2` and so on. The
 * amount is not part of the key, since it may be corrected.
 */
export function numberSameDayDividends(rows: readonly DividendRow[]): DividendRow[] {
  const amounts = new Map<string, string[]>();
  for (const row of rows) {
    const seenAmounts = amounts.get(keyOf(row)) ?? [];
    const { amount } = row.fields;
    if (amount != null && !seenAmounts.includes(amount)) seenAmounts.push(amount);
    amounts.set(keyOf(row), seenAmounts.toSorted(compareDecimals));
  }
  return rows.map((row) => {
    const index = amounts.get(keyOf(row))?.indexOf(row.fields.amount ?? '') ?? 0;
    return index > 0 ? { ...row, naturalKey: `${row.naturalKey}#${index + 1}` } : row;
  });
}

/** Applies `numberSameDayDividends` to a parsed response. */
export function withNumberedDividends(parsed: ParseResult<DividendRow>): ParseResult<DividendRow> {
  return { ...parsed, rows: numberSameDayDividends(parsed.rows) };
}

function keyOf({ entityKey, naturalKey }: ParsedRow): string {
  return `${entityKey} ${naturalKey}`;
}
