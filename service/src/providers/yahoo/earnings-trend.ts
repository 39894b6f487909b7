import type { FiguresObservation } from '../../datasets/earnings/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readWith, required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import type { ParsedRow, ParseResult } from '../provider.ts';
import { hasEstimates, readEstimates } from './estimates.ts';
import type { Modules } from './modules.ts';

const QUARTERS: readonly unknown[] = ['0q', '+1q'];

/**
 * Reads `earningsTrend`: estimates for the current and the next quarter, keyed by the month in
 * which the quarter ends and without report dates. Skips the quarter `reportedPeriod`, which
 * already has a report date, as well as years and quarters without estimates.
 */
export function readTrend(modules: Modules, reportedPeriod: LocalDate | null): ParseResult {
  const rows: unknown = modules.module('earningsTrend')?.['trend'];
  const quarters = (Array.isArray(rows) ? rows : []).filter(
    (row: unknown) => !isJsonObject(row) || QUARTERS.includes(row['period']),
  );
  const parsed = readRows({
    dataset: 'earnings',
    rows: quarters,
    entityKeyOf: () => modules.symbol,
    read: (row) => readRow(row, modules.symbol),
  });
  const newRows = parsed.rows.filter(({ fields }) => {
    return (
      fields.kind === 'figures' && fields.fiscalPeriodEnd !== reportedPeriod && hasEstimates(fields)
    );
  });
  return { ...parsed, rows: newRows };
}

function readRow(row: JsonObject, symbol: string): ParsedRow<'earnings'> {
  const end = required(readWith(row, 'endDate', parseIsoDate), 'endDate');
  const fields: FiguresObservation = {
    kind: 'figures',
    symbol,
    fiscalPeriodEnd: end,
    fiscalPeriodPrecision: 'month',
    ...readEstimates({}, { end, row }),
  };
  const naturalKey = `ahead:${periodLabel(end, 'month')}`;
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}
