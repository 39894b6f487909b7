import type { BarObservation } from '../../datasets/bars/observation.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { positiveOrNull, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readBars } from '../kit/read-bars.ts';
import { RowError } from '../kit/row-error.ts';
import { SourceResponseError, type ParseResult } from '../provider.ts';

const MS_MIN = Date.UTC(1970, 0, 2);
const MS_MAX = Date.UTC(2100, 11, 31);

/**
 * Bars of `results`, a day each. The moment is that day's midnight or close in New York. `adjusted`
 * tells whether splits up to the day of asking are counted in. Without results there is no `results`.
 */
export function readAggregates(
  body: JsonObject,
  symbolOf: (row: JsonObject) => string,
  entityKeyOf: (row: unknown) => string | null,
): ParseResult {
  const { results = [], adjusted } = body;
  if (!Array.isArray(results) || typeof adjusted !== 'boolean') {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no list of bars');
  }
  return readBars({
    rows: results,
    list: null,
    isAdjusted: adjusted,
    entityKeyOf,
    read: (row) => readBar(row, symbolOf(row)),
  });
}

function readBar(row: JsonObject, symbol: string): BarObservation {
  const price = (key: string) => positiveOrNull(parseJsonNumber(row[key] ?? null), key);
  const at = row['t'];
  if (typeof at !== 'number' || !Number.isInteger(at) || at < MS_MIN || at > MS_MAX) {
    throw new RowError('bad-date', 't is no moment in milliseconds');
  }
  return {
    symbol,
    date: newYorkDate(at),
    open: price('o'),
    high: price('h'),
    low: price('l'),
    close: required(price('c'), 'c'),
    previousClose: null,
    volume: readVolume(row['v']),
    basisDate: null,
  };
}

/** Volumes come as floats, since shares trade in fractions and splits divide them: rounded. */
function readVolume(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  const volume = typeof value === 'number' ? Math.round(value) : Number.NaN;
  if (Number.isSafeInteger(volume) && volume >= 0) return volume;
  throw new RowError('bad-number', 'v is no volume');
}
