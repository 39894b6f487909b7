import type { BarObservation } from '../../datasets/bars/observation.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { positiveOrNull, required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readBars } from '../kit/read-bars.ts';
import { RowError } from '../kit/row-error.ts';
import { SourceResponseError } from '../provider.ts';
import { readPrice, readTimestamp } from './values.ts';

const PRICES = ['open', 'high', 'low', 'close'] as const;
const COLUMNS = [...PRICES, 'volume'] as const;

/**
 * Reads a chart's columns as bars. A timestamp is the session's open, and its date is the New York
 * date at that time. The offset in the response is not used, since it applies to the request date.
 * A session without trades has no figures and no bar. `adjclose` is ignored because it is also
 * adjusted for dividends.
 */
export function readChartBars(result: JsonObject, symbol: string): ReturnType<typeof readBars> {
  return readBars({
    rows: rowsOf(result),
    list: null,
    isAdjusted: true,
    entityKeyOf: () => symbol,
    read: (row) => readBar(row, symbol),
  });
}

function readBar(row: JsonObject, symbol: string): BarObservation | null {
  const at = required(readTimestamp(row['timestamp']), 'timestamp');
  const isWithoutTrade = row['volume'] === null || row['volume'] === 0;
  if (isWithoutTrade && PRICES.every((name) => row[name] === null)) return null;
  const price = (name: string) => positiveOrNull(readPrice(row[name]), name);
  return {
    symbol,
    date: newYorkDate(at),
    open: price('open'),
    high: price('high'),
    low: price('low'),
    close: required(price('close'), 'close'),
    previousClose: null,
    volume: readVolume(row['volume']),
    basisDate: null,
  };
}

/** Returns row objects, one per session. `timestamp` is absent if the range has no session. */
function rowsOf(result: JsonObject): JsonObject[] {
  const timestamps: unknown = result['timestamp'];
  if (timestamps === undefined) return [];
  const indicators = isJsonObject(result['indicators']) ? result['indicators'] : {};
  const quotes: unknown = indicators['quote'];
  const quote: unknown = Array.isArray(quotes) ? quotes[0] : null;
  if (!Array.isArray(timestamps) || !isJsonObject(quote)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no price columns');
  }
  const columns = COLUMNS.map((name) => ({
    name,
    values: columnOf(quote, name, timestamps.length),
  }));
  return timestamps.map((timestamp: unknown, index) => ({
    timestamp,
    ...Object.fromEntries(columns.map(({ name, values }) => [name, values[index] ?? null])),
  }));
}

function columnOf(quote: JsonObject, name: string, length: number): unknown[] {
  const values: unknown = quote[name];
  if (Array.isArray(values) && values.length === length) return values;
  throw new SourceResponseError(
    'damaged',
    'uneven-columns',
    `${name} and timestamp differ in length`,
  );
}

function readVolume(value: unknown): number | null {
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new RowError('bad-number', 'volume is not a whole number');
}
