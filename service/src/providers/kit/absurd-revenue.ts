import type { ReportFigures } from '../../datasets/earnings/observation.ts';
import { compareDecimals, multiplyDecimals, subtractDecimals } from '../../domain/decimal.ts';
import { RowError } from './row-error.ts';

/** Maximum deviation from the consensus, as a multiple of the consensus. */
const DEVIATION_MAX = '3';

/**
 * Rejects a row whose negative revenue deviates from a positive consensus by more than three times
 * the consensus. Lenders, insurers and funds sometimes report negative revenue, but the consensus
 * is never that far off. Such a figure is a source error, and the rest of the row is no more
 * reliable.
 */
export function rejectAbsurdRevenue({ revenue, revenueEstimate }: ReportFigures): void {
  if (revenue == null || revenueEstimate == null) return;
  if (compareDecimals(revenue, '0') >= 0 || compareDecimals(revenueEstimate, '0') <= 0) return;
  const deviation = subtractDecimals(revenueEstimate, revenue);
  if (compareDecimals(deviation, multiplyDecimals(DEVIATION_MAX, revenueEstimate)) <= 0) return;
  const detail = `revenue ${revenue} with a consensus of ${revenueEstimate}`;
  throw new RowError('absurd-revenue', detail);
}
