import type { BarObservation } from '../../datasets/bars/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseCount, parsePlain } from '../../domain/dirty-number.ts';
import { positiveOrNull, readWith, required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readBars } from '../kit/read-bars.ts';
import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readObject } from './response-body.ts';
import { isFunctionResponse, listedSymbol, requireRequestedSymbol } from './request.ts';

const SERIES = 'Time Series (Daily)';

/** `TIME_SERIES_DAILY&symbol=`: unadjusted bars by New York session date. */
export const daily: Feed = {
  name: 'daily',
  datasets: ['bars'],
  claims: (response) => isFunctionResponse(response, 'TIME_SERIES_DAILY'),
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const body = readObject(response);
  const symbol = requireRequestedSymbol(response);
  const series = body[SERIES];
  const meta = body['Meta Data'];
  if (!isJsonObject(series) || !isJsonObject(meta)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', `no ${SERIES}`);
  }
  const responseSymbol = meta['2. Symbol'];
  if (typeof responseSymbol !== 'string' || listedSymbol(responseSymbol) !== symbol) {
    throw new SourceResponseError('error-answer', 'symbol-mismatch', `requested ${symbol}`);
  }
  return readBars({
    rows: Object.entries(series).map(([date, bar]) => (isJsonObject(bar) ? { ...bar, date } : bar)),
    list: null,
    isAdjusted: false,
    entityKeyOf: () => symbol,
    read: (row) => readRow(row, symbol),
  });
}

function readRow(row: JsonObject, symbol: string): BarObservation {
  const price = (key: string) => positiveOrNull(readWith(row, key, parsePlain), key);
  return {
    symbol,
    date: required(readWith(row, 'date', parseIsoDate), 'date'),
    open: price('1. open'),
    high: price('2. high'),
    low: price('3. low'),
    close: required(price('4. close'), '4. close'),
    previousClose: null,
    volume: readWith(row, '5. volume', parseCount),
    basisDate: null,
  };
}
