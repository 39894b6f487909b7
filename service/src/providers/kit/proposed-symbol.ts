import { isEmptyMark } from '../../domain/dirty-value-error.ts';
import { isCanonicalSymbol, parseSymbol } from '../../domain/symbol.ts';
import { readRaw } from './fields.ts';
import type { JsonObject } from './json.ts';
import { RowError } from './row-error.ts';

/**
 * The ticker under which a company is to trade; null while it has none. Tickers are written in
 * capitals, so `NA` and `NONE` are ones, `None` and `n/a` none. Throws `bad-symbol` for other text.
 */
export function readProposedSymbol(row: JsonObject, key: string): string | null {
  const text = readRaw(row, key) ?? '';
  if (isToBeAnnounced(text)) return null;
  const symbol = parseSymbol(text);
  if (symbol === null) throw new RowError('bad-symbol', `${key} is ${text}`);
  return symbol;
}

/** Of an offering `TBA` and `TBD` say that the ticker is to come. */
export function isToBeAnnounced(text: string): boolean {
  const mark = text.trim();
  return isEmptyMark(mark) && (!isCanonicalSymbol(mark) || /^TB[AD]$/.test(mark));
}
