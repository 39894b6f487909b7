import type { ReportFigures } from '../../datasets/earnings/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { DirtyValueError } from '../../domain/dirty-value-error.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readWith } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import { isInDollars, partOf, readConsensus, readCount, withTrend } from './consensus.ts';
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
  const row = quarter?.row ?? {};
  const eps = partOf(row, 'earningsEstimate');
  const revenue = partOf(row, 'revenueEstimate');
  const estimates: Estimates = {};
  if (isInDollars(eps, 'earningsCurrency')) {
    estimates.epsEstimate = base.epsEstimate ?? readFigure(eps['avg'] ?? null);
    if ('yearAgoEps' in eps) estimates.epsYearAgo = readFigure(eps['yearAgoEps']);
    if ('numberOfAnalysts' in eps) estimates.estimateCount = readCount(eps, 'numberOfAnalysts');
    const consensus = readConsensus(eps) ?? base.epsConsensus;
    if (consensus !== undefined) estimates.epsConsensus = withTrend(consensus, row);
  }
  if (isInDollars(revenue, 'revenueCurrency')) {
    estimates.revenueEstimate = base.revenueEstimate ?? readFigure(revenue['avg'] ?? null);
    const consensus = readConsensus(revenue) ?? base.revenueConsensus;
    if (consensus !== undefined) estimates.revenueConsensus = consensus;
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
