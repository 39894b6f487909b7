import type { ReportFigures } from '../../datasets/earnings/observation.ts';
import { compareDecimals, multiplyDecimals, subtractDecimals } from '../../domain/decimal.ts';
import { RowError } from './row-error.ts';

/** How many times the consensus the result may lie off it. */
const DEVIATION_MAX = '3';

/**
 * Refuses a row whose revenue is negative and lies further from a positive consensus than three
 * times that. Revenue of lenders, insurers and funds is below zero at times, but nobody who expects
 * a sum is off by so much: it is a slip of the source, and the rest of the row is no better.
 */
export function rejectAbsurdRevenue({ revenue, revenueEstimate }: ReportFigures): void {
  if (revenue == null || revenueEstimate == null) return;
  if (compareDecimals(revenue, '0') >= 0 || compareDecimals(revenueEstimate, '0') <= 0) return;
  const deviation = subtractDecimals(revenueEstimate, revenue);
  if (compareDecimals(deviation, multiplyDecimals(DEVIATION_MAX, revenueEstimate)) <= 0) return;
  const detail = `revenue ${revenue} beside an expected ${revenueEstimate}`;
  throw new RowError('absurd-revenue', detail);
}
