import {
  compareDecimals,
  type Decimal,
  divideDecimals,
  multiplyDecimals,
} from '../../domain/decimal.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { DividendFrequency } from './observation.ts';

interface PaymentFrequency {
  frequency: DividendFrequency;
  perYear: number;
  /** Range of days between ex-dates, allowing for weekends and holidays. */
  gapDaysMin: number;
  gapDaysMax: number;
}

const FREQUENCIES: readonly PaymentFrequency[] = [
  { frequency: 'weekly', perYear: 52, gapDaysMin: 5, gapDaysMax: 10 },
  { frequency: 'monthly', perYear: 12, gapDaysMin: 24, gapDaysMax: 38 },
  { frequency: 'quarterly', perYear: 4, gapDaysMin: 75, gapDaysMax: 110 },
  { frequency: 'semi-annual', perYear: 2, gapDaysMin: 150, gapDaysMax: 215 },
  { frequency: 'annual', perYear: 1, gapDaysMin: 330, gapDaysMax: 400 },
];

/**
 * Number of gaps to consider. It is small, so that a company's new frequency is recognized soon.
 */
const GAPS_MAX = 4;
const GAPS_MIN = 2;

/**
 * Derives a company's payment frequency from the ex-dates of its ordinary dividends, in ascending
 * order. Returns the frequency shared by more than half of the last four gaps up to this ex-date,
 * `irregular` if no frequency has a majority, or null if fewer than two gaps are known.
 */
export function frequencyFromHistory(
  exDates: readonly LocalDate[],
  exDate: LocalDate,
): DividendFrequency | null {
  const at = exDates.indexOf(exDate);
  const last = Math.max(at, Math.min(exDates.length - 1, GAPS_MIN));
  const near = exDates.slice(Math.max(0, last - GAPS_MAX), last + 1);
  const gaps = near.slice(1).flatMap((date, i) => {
    const before = near[i];
    return before === undefined ? [] : [daysBetween(before, date)];
  });
  if (gaps.length < GAPS_MIN) return null;
  const majority = FREQUENCIES.find(
    ({ gapDaysMin, gapDaysMax }) =>
      gaps.filter((gap) => gap >= gapDaysMin && gap <= gapDaysMax).length * 2 > gaps.length,
  );
  return majority?.frequency ?? 'irregular';
}

/**
 * Returns the payment frequency if the annual amount is a usual multiple of this dividend, within a
 * tenth; otherwise null.
 */
export function frequencyFromYear(amount: Decimal, yearAmount: Decimal): DividendFrequency | null {
  const ratio = divideDecimals(yearAmount, amount, 6);
  if (ratio === null) return null;
  const match = FREQUENCIES.find(
    ({ perYear }) =>
      compareDecimals(ratio, multiplyDecimals(String(perYear), '0.9')) >= 0 &&
      compareDecimals(ratio, multiplyDecimals(String(perYear), '1.1')) <= 0,
  );
  return match?.frequency ?? null;
}

/** Returns the number of dividends per year, or null for an irregular frequency. */
export function paymentsPerYear(frequency: DividendFrequency | null): number | null {
  return FREQUENCIES.find((row) => row.frequency === frequency)?.perYear ?? null;
}
