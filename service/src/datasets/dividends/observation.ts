import type { LocalDate } from '../../domain/local-date.ts';

/**
 * The values that a source reports for one dividend. An absent property means that the source never
 * reports it; null means that the source reported no value.
 */
export interface DividendObservation {
  symbol: string;
  name?: string | null;
  exDate: LocalDate;
  recordDate?: LocalDate | null;
  paymentDate?: LocalDate | null;
  declarationDate?: LocalDate | null;
  /** Declared amount per share; decimal text in whole units of `currency`. */
  amount?: string | null;
  /** The source's estimate of a year's regular dividends, per share. */
  indicatedAnnualAmount?: string | null;
  currency?: string | null;
  type?: DividendType | null;
  frequency?: DividendFrequency | null;
  status?: DividendStatus | null;
}

export const DIVIDEND_TYPES = [
  'cash',
  'special',
  'supplemental',
  'stock',
  'return-of-capital',
] as const;
export const DIVIDEND_FREQUENCIES = [
  'weekly',
  'monthly',
  'quarterly',
  'semi-annual',
  'annual',
  'irregular',
  'none',
] as const;
export const DIVIDEND_STATUSES = ['declared', 'projected', 'cancelled'] as const;

export type DividendType = (typeof DIVIDEND_TYPES)[number];
export type DividendFrequency = (typeof DIVIDEND_FREQUENCIES)[number];
export type DividendStatus = (typeof DIVIDEND_STATUSES)[number];
