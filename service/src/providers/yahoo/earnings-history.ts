import type { FiguresObservation } from '../../datasets/earnings/observation.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import { required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParsedRow, ParseResult } from '../provider.ts';
import type { Modules } from './modules.ts';
import { dayOf, readFigure, readTimestamp } from './values.ts';

/**
 * Reads `earningsHistory`: the result and consensus for the last four quarters, by quarter-end and
 * without report dates. The source's surprise, a fraction, is ignored because the service computes
 * it.
 */
export function readHistory(modules: Modules): ParseResult {
  const rows: unknown = modules.module('earningsHistory')?.['history'];
  return readRows({
    dataset: 'earnings',
    rows: (Array.isArray(rows) ? rows : []).filter(hasFigures),
    entityKeyOf: () => modules.symbol,
    read: (row) => readRow(row, modules.symbol),
  });
}

function readRow(row: JsonObject, symbol: string): ParsedRow<'earnings'> {
  const end = dayOf(required(readTimestamp(row['quarter']), 'quarter'));
  const currency = row['currency'] ?? 'USD';
  if (currency !== 'USD') {
    throw new RowError('foreign-currency', 'results are not in dollars');
  }
  const fields: FiguresObservation = {
    kind: 'figures',
    symbol,
    fiscalPeriodEnd: end,
    fiscalPeriodPrecision: 'month',
    eps: readFigure(row['epsActual']),
    epsEstimate: readFigure(row['epsEstimate']),
  };
  const naturalKey = `result:${periodLabel(end, 'month')}`;
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}

/** Returns true if a row has figures. Some rows for funds and young companies have none. */
function hasFigures(row: unknown): boolean {
  if (!isJsonObject(row)) return true;
  return ['epsActual', 'epsEstimate'].some((key) => !isEmpty(row[key]));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (isJsonObject(value) && !('raw' in value));
}
