import { compareDecimals, type Decimal } from '../../domain/decimal.ts';
import { parseDollars } from '../../domain/dirty-number.ts';
import { isEmptyMark } from '../../domain/dirty-value-error.ts';
import { isCanonicalSymbol, parseSymbol } from '../../domain/symbol.ts';
import type { IpoObservation, IpoStatus } from '../../datasets/ipos/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { positiveOrNull, readRaw, readText, readWith, required } from './fields.ts';
import type { JsonObject } from './json.ts';
import { RowError } from './row-error.ts';

/** Which day the row's only date is, by the word for the step. */
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
 * The last step of a deal, of which a source gives the word in `key` and the day in `date`. Another
 * word is an `unknown-word`.
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

/** One price of a deal that is priced is the price; before, it is what is asked for. */
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
 * A price per share or a range of it: `16.00`, `$14.00-$16.00`. One price is a range of itself; no
 * value, and zero, are null on both sides. A range that falls is a `bad-range`.
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
