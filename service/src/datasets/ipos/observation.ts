import type { LocalDate } from '../../domain/local-date.ts';

/**
 * What a source says of one stage of a deal: it may list the same deal as filed and as priced. A
 * property that is absent means the source does not speak of it; null, that it has no value.
 */
export interface IpoObservation {
  /** The source's own key of the deal; null when it has none, and the company's name stands for it. */
  dealKey: string | null;
  companyName: string;
  stage: IpoStatus;
  /** Proposed, canonical spelling; no security by it need exist. */
  symbol?: string | null;
  /** In the source's own word. */
  exchange?: string | null;
  /** When it is expected to be priced. */
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
