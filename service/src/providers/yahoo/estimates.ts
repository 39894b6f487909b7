import type { ReportFigures } from '../../datasets/earnings/observation.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { DirtyValueError } from '../../domain/dirty-value-error.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readWith } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import type { Modules } from './modules.ts';
import { readFigure } from './values.ts';

/** A quarter in the estimates module. */
export interface Quarter {
  end: LocalDate;
  row: JsonObject;
}

export type Estimates = Omit<ReportFigures, 'eps' | 'revenue'>;

/** Returns the quarter that the estimates module marks as current; null if unknown. */
export function currentQuarter(modules: Modules): Quarter | null {
  const rows: unknown = modules.module('earningsTrend')?.['trend'];
  const row: unknown = Array.isArray(rows)
    ? rows.find((candidate) => isJsonObject(candidate) && candidate['period'] === '0q')
    : null;
  if (!isJsonObject(row)) return null;
  try {
    const end = readWith(row, 'endDate', parseIsoDate);
    return end === null ? null : { end, row };
  } catch (error) {
    // The row is parsed again on its own, and then counted as invalid.
    if (error instanceof RowError || error instanceof DirtyValueError) return null;
    throw error;
  }
}

/**
 * Returns the figures next to the report date, with missing values filled in from the estimates
 * module. Figures in other currencies are omitted, since one row combines figures from several
 * sources. Two zero estimates mean "unknown".
 */
export function readEstimates(base: Estimates, quarter: Quarter | null): Estimates {
  const eps = partOf(quarter, 'earningsEstimate');
  const revenue = partOf(quarter, 'revenueEstimate');
  const estimates: Estimates = {};
  if (isInDollars(eps, 'earningsCurrency')) {
    estimates.epsEstimate = base.epsEstimate ?? readFigure(eps['avg'] ?? null);
    if ('yearAgoEps' in eps) estimates.epsYearAgo = readFigure(eps['yearAgoEps']);
    if ('numberOfAnalysts' in eps) estimates.estimateCount = readCount(eps['numberOfAnalysts']);
  }
  if (isInDollars(revenue, 'revenueCurrency')) {
    estimates.revenueEstimate = base.revenueEstimate ?? readFigure(revenue['avg'] ?? null);
  }
  if (estimates.epsEstimate === '0' && estimates.revenueEstimate === '0') {
    return { ...estimates, epsEstimate: null, revenueEstimate: null };
  }
  return estimates;
}

/** Returns true if there are any estimates. */
export function hasEstimates({ epsEstimate, revenueEstimate }: Estimates): boolean {
  return (epsEstimate ?? revenueEstimate ?? null) !== null;
}

function partOf(quarter: Quarter | null, key: string): JsonObject {
  const part = quarter?.row[key];
  return isJsonObject(part) ? part : {};
}

function isInDollars(part: JsonObject, key: string): boolean {
  const currency = part[key];
  return currency === undefined || currency === null || currency === 'USD';
}

function readCount(value: unknown): number | null {
  const count: Decimal | null = readFigure(value);
  if (count === null || /^\d{1,6}$/.test(count)) return count === null ? null : Number(count);
  throw new RowError('bad-number', 'numberOfAnalysts is not a whole number');
}
