import type { BarObservation } from '../../datasets/bars/observation.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { positiveOrNull, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readBars } from '../kit/read-bars.ts';
import { RowError } from '../kit/row-error.ts';
import { type ParseResult, SourceResponseError } from '../provider.ts';

const MS_MIN = Date.UTC(1970, 0, 2);
const MS_MAX = Date.UTC(2100, 11, 31);

/**
 * Reads the bars in `results`, one per day. The timestamp is midnight or the close in New York.
 * `adjusted` indicates whether prices are adjusted for splits up to the request date. `results` is
 * absent if there are no bars.
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
    throw new RowError('bad-date', 't is not a timestamp in milliseconds');
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

/**
 * Reads and rounds a volume. Volumes can be fractional, since fractional shares are traded and
 * volumes are divided by splits.
 */
function readVolume(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  const volume = typeof value === 'number' ? Math.round(value) : Number.NaN;
  if (Number.isSafeInteger(volume) && volume >= 0) return volume;
  throw new RowError('bad-number', 'v is not a volume');
}
