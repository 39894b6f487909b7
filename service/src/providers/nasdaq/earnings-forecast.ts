import { daily } from '../../domain/market/due-times.ts';
import type {
  Consensus,
  EpsConsensus,
  FiguresObservation,
} from '../../datasets/earnings/observation.ts';
import { monthEnd, parseMonthYear } from '../../domain/dirty-date.ts';
import { parseEpsDollars, parseCount, parseJsonNumber } from '../../domain/dirty-number.ts';
import { compareDecimals, type Decimal } from '../../domain/decimal.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import { readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { rowsOf } from './envelope.ts';
import { apiRequest, HOST, symbolSegment } from './request.ts';
import { openSymbolTable } from './symbol-table.ts';

const PATH = /^\/api\/analyst\/([^/?]+)\/earnings-forecast(\?|$)/;
const SYMBOLS_MAX = 100;

/**
 * `analyst/{symbol}/earnings-forecast`: for each coming quarter the consensus EPS with its range and
 * the revisions of the last four weeks. Fiscal years are not read.
 */
export const earningsForecast: Feed = {
  name: 'earnings-forecast',
  datasets: ['earnings'],
  ranks: { 'earnings.figures': ['exchange', 50] },
  schedule: [{ name: 'soon', times: daily('04:20'), scope: 'reporters', priority: 'spare' }],
  claims: (response) => response.host === HOST && PATH.test(response.path),
  parse,
  plan: ({ symbolsReportingSoon: symbols = [] }) =>
    symbols
      .slice(0, SYMBOLS_MAX)
      .map((symbol) => apiRequest(`analyst/${symbolSegment(symbol)}/earnings-forecast`)),
};

function parse(response: SourceResponse): ParseResult {
  const { symbol, table } = openSymbolTable(response, PATH, 'quarterlyForecast');
  if (table === null) return { rows: [], bad: [] };
  const parsed = readRows({
    dataset: 'earnings',
    rows: rowsOf(table),
    entityKeyOf: () => symbol,
    read: (row) => readRow(row, symbol),
  });
  const rows = parsed.rows.filter(
    ({ fields }) => fields.kind === 'figures' && fields.epsConsensus !== undefined,
  );
  return { ...parsed, rows };
}

function readRow(row: JsonObject, symbol: string): ParsedRow<'earnings'> {
  const month = required(readWith(row, 'fiscalEnd', parseMonthYear), 'fiscalEnd');
  const fiscalPeriodEnd = monthEnd(month);
  const fields: FiguresObservation = {
    kind: 'figures',
    symbol,
    fiscalPeriodEnd,
    fiscalPeriodPrecision: 'month',
  };
  const consensus = readConsensus(row);
  if (consensus !== null) fields.epsConsensus = consensus;
  const naturalKey = `ahead:${periodLabel(fiscalPeriodEnd, 'month')}`;
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}

/** Reads the estimates; null for a quarter without any, for which the source writes zeros. */
function readConsensus(row: JsonObject): EpsConsensus | null {
  const range: Consensus = {
    mean: readEps(row, 'consensusEPSForecast'),
    low: readEps(row, 'lowEPSForecast'),
    high: readEps(row, 'highEPSForecast'),
    count: readCount(row, 'noOfEstimates'),
  };
  const { mean, low, high, count } = range;
  const isEmpty = [mean, low, high].every((eps) => eps === null || eps === '0');
  if (isEmpty && (count ?? 0) === 0) return null;
  if (low !== null && high !== null && compareDecimals(low, high) > 0) {
    throw new RowError('low-above-high', `the lowest estimate ${low} is above ${high}`);
  }
  return {
    ...range,
    mean7DaysAgo: null,
    mean30DaysAgo: null,
    mean60DaysAgo: null,
    mean90DaysAgo: null,
    revisions: {
      upLast7Days: null,
      downLast7Days: null,
      upLast30Days: readCount(row, 'up'),
      downLast30Days: readCount(row, 'down'),
    },
  };
}

/** Reads an EPS figure, which is a number today; some tables of this API have text instead. */
function readEps(row: JsonObject, key: string): Decimal | null {
  const value = row[key];
  return typeof value === 'number' ? parseJsonNumber(value) : readWith(row, key, parseEpsDollars);
}

function readCount(row: JsonObject, key: string): number | null {
  const value = row[key];
  return typeof value === 'number' ? parseCount(String(value)) : readWith(row, key, parseCount);
}
