import type { LocalDate } from '../../domain/local-date.ts';

/**
 * What a source says of one dividend. A property that is absent means the source does not speak of
 * it; null means it speaks and has no value.
 */
export interface DividendObservation {
  symbol: string;
  name?: string | null;
  exDate: LocalDate;
  recordDate?: LocalDate | null;
  paymentDate?: LocalDate | null;
  declarationDate?: LocalDate | null;
  /** Per share as declared, decimal text in whole units of `currency`. */
  amount?: string | null;
  /** What the source reckons for a year of regular dividends, per share. */
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
