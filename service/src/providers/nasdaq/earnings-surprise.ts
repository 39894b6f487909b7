import { onTradingDays } from '../../domain/market/due-times.ts';
import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import { monthEnd, parseMonthYear, parseSlashDate } from '../../domain/dirty-date.ts';
import { parseEpsDollars, parseJsonNumber, unlessStandIn } from '../../domain/dirty-number.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import { readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { rowsOf } from './envelope.ts';
import { apiRequest, HOST, symbolSegment } from './request.ts';
import { openSymbolTable } from './symbol-table.ts';

const PATH = /^\/api\/company\/([^/?]+)\/earnings-surprise(\?|$)/;

/**
 * `company/{symbol}/earnings-surprise`: one company's result and consensus for the last four
 * quarters, with report dates. Here an EPS of 0 is a real zero.
 */
export const earningsSurprise: Feed = {
  name: 'earnings-surprise',
  datasets: ['earnings'],
  ranks: { 'earnings.date': ['history', 10], 'earnings.figures': ['exchange', 40] },
  schedule: [
    { name: 'evening', times: onTradingDays('21:00'), scope: 'reporters', priority: 'spare' },
  ],
  claims: (response) => response.host === HOST && PATH.test(response.path),
  parse,
  plan: ({ symbolsAwaitingResult: symbols = [] }) =>
    symbols.map((symbol) => apiRequest(`company/${symbolSegment(symbol)}/earnings-surprise`)),
};

function parse(response: SourceResponse): ParseResult {
  const { symbol, table } = openSymbolTable(response, PATH, 'earningsSurpriseTable');
  if (table === null) return { rows: [], bad: [] };
  return readRows({
    dataset: 'earnings',
    rows: rowsOf(table),
    entityKeyOf: () => symbol,
    read: (row) => readRow(row, symbol),
  });
}

function readRow(row: JsonObject, symbol: string): ParsedRow<'earnings'> {
  const month = required(readWith(row, 'fiscalQtrEnd', parseMonthYear), 'fiscalQtrEnd');
  const fiscalPeriodEnd = monthEnd(month);
  const fields: CalendarObservation = {
    kind: 'calendar',
    symbol,
    date: required(readWith(row, 'dateReported', parseSlashDate), 'dateReported'),
    time: 'time-not-supplied',
    dateStatus: 'confirmed',
    fiscalPeriodEnd,
    fiscalPeriodPrecision: 'month',
    eps: readEps(row, 'eps'),
    epsEstimate: readEps(row, 'consensusForecast'),
  };
  const naturalKey = periodLabel(fiscalPeriodEnd, 'month');
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}

/**
 * Reads an EPS figure. The source currently sends the result as a number and the consensus as text,
 * but both types are accepted for both.
 */
function readEps(row: JsonObject, key: string): string | null {
  if (typeof row[key] === 'number') return unlessStandIn(parseJsonNumber(row[key]));
  return readWith(row, key, parseEpsDollars);
}
