import {
  absoluteDecimal,
  compareDecimals,
  type Decimal,
  decimalPlaces,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from '../../domain/decimal.ts';
import { divideBySplits, type ShareSplit } from '../../domain/share-splits.ts';
import type {
  FiledFigure,
  FinancialsObservation,
  StatedFigureName,
  StatedFigureObservation,
} from './observation.ts';

/** The figures of a press release that a quarterly or annual report repeats in XBRL. */
export type FiledFigureName = Exclude<StatedFigureName, 'epsAdjusted'>;

export const FILED_FIGURE_NAMES: readonly FiledFigureName[] = ['epsGaap', 'revenue'];

/** The result of comparing a stated figure with the filed one. */
export type Confirmation = 'confirmed' | 'contradicted' | 'not-filed';

/** A table states thousands or millions; more zeros at the end of a cell are part of its value. */
const TABLE_ZEROS_MAX = 6;
/** EPS is stated in cents or in smaller units. */
const EPS_PLACES_MIN = 2;

/**
 * Compares a figure of a press release with the one that the company first filed for the same
 * quarter. The figures agree if they are equal on the precision of the coarser one. EPS may also be
 * equal after the splits between the end of the quarter and the filing. A filed figure that was
 * computed as the year minus nine months can confirm a stated one but not contradict it, because it
 * contains later corrections and, for EPS, other share counts. A figure in another currency is not
 * comparable.
 */
export function confirmStated(
  stated: StatedFigureObservation,
  financials: FinancialsObservation | null,
  splits: readonly ShareSplit[] = [],
): Confirmation {
  const filed = financials === null ? null : comparableFigure(stated, financials);
  if (filed === null) return 'not-filed';
  const { value, figure, cell } = stated;
  const isEqual =
    figure === 'revenue'
      ? isSameRounded(value, filed.first, revenueUnit(value, cell.column !== null))
      : [value, rebased(stated, filed, splits)].some((eps) =>
          isSameRounded(eps, filed.first, epsUnit(value, filed.first)),
        );
  if (isEqual) return 'confirmed';
  return filed.derived ? 'not-filed' : 'contradicted';
}

/** Returns the figure that XBRL has for the same quarter, in the same currency; null if none. */
export function comparableFigure(
  { figure, currency, periodEnd }: StatedFigureObservation,
  financials: FinancialsObservation,
): FiledFigure | null {
  if (financials.currency !== currency || financials.periodEnd !== periodEnd) return null;
  if (figure === 'epsAdjusted') return null;
  return figure === 'revenue' ? financials.revenue : financials.epsDiluted;
}

function rebased(
  { value, periodEnd }: StatedFigureObservation,
  { filedDate }: FiledFigure,
  splits: readonly ShareSplit[],
): Decimal {
  return divideBySplits(
    value,
    splits.filter(({ date }) => date > periodEnd && date <= filedDate),
  );
}

/** Returns whether two amounts differ by at most half a unit. Their signs must agree. */
function isSameRounded(a: Decimal, b: Decimal, unit: Decimal): boolean {
  const doubled = multiplyDecimals(absoluteDecimal(subtractDecimals(a, b)), '2');
  return compareDecimals(doubled, unit) <= 0;
}

/** Returns the unit in which a revenue is stated, which its zeros show: `410200000` is in 100,000. */
function revenueUnit(value: Decimal, isInTable: boolean): Decimal {
  const zeros = /0*$/.exec(value)?.[0].length ?? 0;
  return `1${'0'.repeat(isInTable ? Math.min(zeros, TABLE_ZEROS_MAX) : zeros)}`;
}

function epsUnit(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(EPS_PLACES_MIN, Math.min(decimalPlaces(a), decimalPlaces(b)));
  return divideDecimals('1', `1${'0'.repeat(places)}`, places) ?? '0';
}
