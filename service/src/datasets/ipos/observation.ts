import type { LocalDate } from '../../domain/local-date.ts';

/**
 * The values that a source reports for one stage of a deal. A source may list the same deal as
 * filed and as priced. An absent property means that the source never reports it; null means that
 * the source has no value.
 */
export interface IpoObservation {
  /**
   * The source's key for the deal; null if the source has none, in which case the company name
   * identifies the deal.
   */
  dealKey: string | null;
  companyName: string;
  stage: IpoStatus;
  /** Proposed symbol in canonical spelling. A security with this symbol need not exist. */
  symbol?: string | null;
  /** Name of the exchange in the source's spelling. */
  exchange?: string | null;
  /** Expected pricing date. */
  expectedDate?: LocalDate | null;
  dateStatus?: 'expected' | 'confirmed' | 'week-of' | null;
  filedDate?: LocalDate | null;
  pricedDate?: LocalDate | null;
  withdrawnDate?: LocalDate | null;
  offeringType?: OfferingType | null;
  /** Decimal text per share or unit, in whole units of `currency`. */
  priceLow?: string | null;
  priceHigh?: string | null;
  price?: string | null;
  /** Decimal text. */
  shares?: string | null;
  dealSize?: string | null;
  currency?: string | null;
  underwriters?: string[] | null;
  lockupExpiration?: LocalDate | null;
  cik?: string | null;
  filingUrl?: string | null;
}

export const IPO_STATUSES = ['filed', 'expected', 'priced', 'postponed', 'withdrawn'] as const;
export const OFFERING_TYPES = ['ipo', 'direct-listing', 'spac', 'uplisting', 'adr'] as const;

export type IpoStatus = (typeof IPO_STATUSES)[number];
export type OfferingType = (typeof OFFERING_TYPES)[number];
