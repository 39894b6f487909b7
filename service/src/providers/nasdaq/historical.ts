import { onTradingDays } from '../../domain/market/due-times.ts';
import type { BarObservation } from '../../datasets/bars/observation.ts';
import { addDays } from '../../domain/local-date.ts';
import { parseSlashDate } from '../../domain/dirty-date.ts';
import { parseCount, parseDollars } from '../../domain/dirty-number.ts';
import { positiveOrNull, readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readBars } from '../kit/read-bars.ts';
import {
  type Feed,
  type FeedRequest,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { rowsOf } from './envelope.ts';
import { apiRequest, HOST, symbolSegment } from './request.ts';
import { openSymbolTable } from './symbol-table.ts';

const PATH = /^\/api\/quote\/([^/?]+)\/historical(\?|$)/;
/** Covers four reports and the sessions before the first one. */
const DAYS_BACK = 400;

/**
 * `quote/{symbol}/historical`: one company's open, high, low, close and volume per session,
 * split-adjusted up to the request date but not adjusted for dividends.
 */
export const historical: Feed = {
  name: 'historical',
  datasets: ['bars'],
  schedule: [
    { name: 'evening', times: onTradingDays('22:00'), scope: 'reporters', priority: 'spare' },
  ],
  claims: (response) => response.host === HOST && PATH.test(response.path),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const { symbol, table } = openSymbolTable(response, PATH, 'tradesTable');
  if (table === null)
    throw new SourceResponseError('not-found', 'unknown-symbol', 'no table of trades');
  return readBars({
    rows: rowsOf(table),
    list: null,
    isAdjusted: true,
    entityKeyOf: () => symbol,
    read: (row) => readRow(row, symbol),
  });
}

function plan({ symbols, today }: PlanContext): FeedRequest[] {
  const days = `fromdate=${addDays(today, -DAYS_BACK)}&todate=${today}`;
  return symbols.map((symbol) =>
    apiRequest(`quote/${symbolSegment(symbol)}/historical?assetclass=stocks&${days}&limit=9999`),
  );
}

function readRow(row: JsonObject, symbol: string): BarObservation {
  const price = (key: string) => positiveOrNull(readWith(row, key, parseDollars), key);
  return {
    symbol,
    date: required(readWith(row, 'date', parseSlashDate), 'date'),
    open: price('open'),
    high: price('high'),
    low: price('low'),
    close: required(price('close'), 'close'),
    previousClose: null,
    volume: readWith(row, 'volume', parseCount),
    basisDate: null,
  };
}
