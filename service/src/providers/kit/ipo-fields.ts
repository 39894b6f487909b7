import { compareDecimals, type Decimal } from '../../domain/decimal.ts';
import { parseDollars } from '../../domain/dirty-number.ts';
import { isEmptyMark } from '../../domain/dirty-value-error.ts';
import { isCanonicalSymbol, parseSymbol } from '../../domain/symbol.ts';
import type { IpoObservation, IpoStatus } from '../../datasets/ipos/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { positiveOrNull, readRaw, readText, readWith, required } from './fields.ts';
import type { JsonObject } from './json.ts';
import { RowError } from './row-error.ts';

/** Maps each of the source's words to a stage, and to the field that stores the row's only date. */
const STAGE_BY_WORD: ReadonlyMap<string, [stage: IpoStatus, field: keyof IpoObservation]> = new Map(
  [
    ['filed', ['filed', 'filedDate']],
    ['expected', ['expected', 'expectedDate']],
    ['priced', ['priced', 'pricedDate']],
    ['postponed', ['postponed', 'expectedDate']],
    ['withdrawn', ['withdrawn', 'withdrawnDate']],
  ],
);

/**
 * Returns the latest stage of a deal, from the word in `key` and the date in `date`. Throws
 * `unknown-word` for other words.
 */
export function readIpoStage(
  row: JsonObject,
  key: string,
): Pick<IpoObservation, 'stage'> & Partial<IpoObservation> {
  const word = readText(row, key) ?? '';
  const stageAndField = STAGE_BY_WORD.get(word.toLowerCase());
  if (stageAndField === undefined)
    throw new RowError('unknown-word', `${key} is ${word}`.slice(0, 100));
  const [stage, field] = stageAndField;
  return { stage, [field]: required(readWith(row, 'date', parseIsoDate), 'date') };
}

/**
 * Returns the price fields for a deal. A single price is the offer price of a priced deal; before
 * pricing, it is a range.
 */
export function ipoPrices(stage: IpoStatus, { low, high }: PriceRange): Partial<IpoObservation> {
  const isSettled = stage === 'priced' && low !== null && low === high;
  return isSettled ? { price: low } : { priceLow: low, priceHigh: high };
}

export interface PriceRange {
  low: Decimal | null;
  high: Decimal | null;
}

const RANGE = /^([^\s–-]+)\s*[–-]\s*([^\s–-]+)$/;

/**
 * Reads a price per share or a range: `16.00`, `$14.00-$16.00`. A single price is both ends of the
 * range. Both ends are null for zero or a missing value. Throws `bad-range` for a descending range.
 */
export function readPriceRange(row: JsonObject, key: string): PriceRange {
  const text = readText(row, key);
  if (text === null) return { low: null, high: null };
  const parts = RANGE.exec(text);
  const low = positiveOrNull(parseDollars(parts?.[1] ?? text), key);
  const high = positiveOrNull(parseDollars(parts?.[2] ?? text), key);
  if (low !== null && high !== null && compareDecimals(low, high) > 0) {
    throw new RowError('bad-range', `${key} is ${text}`);
  }
  return { low, high };
}

/**
 * Returns the proposed ticker, or null if there is none yet. Tickers are in capitals, so `NA` and
 * `NONE` are tickers, while `None` and `n/a` are not. Throws `bad-symbol` for other text.
 */
export function readProposedSymbol(row: JsonObject, key: string): string | null {
  const text = readRaw(row, key) ?? '';
  if (isToBeAnnounced(text)) return null;
  const symbol = parseSymbol(text);
  if (symbol === null) throw new RowError('bad-symbol', `${key} is ${text}`);
  return symbol;
}

/** Returns true for `TBA` and `TBD`, which mean that an offering has no ticker yet. */
export function isToBeAnnounced(text: string): boolean {
  const mark = text.trim();
  return isEmptyMark(mark) && (!isCanonicalSymbol(mark) || /^TB[AD]$/.test(mark));
}
