import type { LocalDate } from '../../domain/local-date.ts';

/**
 * The values that a source reports for a company or security. Absent properties are unknown to it.
 */
export interface ProfileObservation {
  cik?: string | null;
  symbol?: string;
  companyName?: string | null;
  exchange?: string | null;
  sector?: string | null;
  industry?: string | null;
  sicCode?: string | null;
  sicDescription?: string | null;
  /** English name in the source's spelling. */
  country?: string | null;
  countryCode?: string | null;
  /** EDGAR code of a state or country, such as `CA` or `K3`. */
  stateOrCountry?: string | null;
  entityType?: string | null;
  /** `MM-DD`. */
  fiscalYearEnd?: string | null;
  formerNames?: { name: string; until: LocalDate | null }[];
  /** Canonical tickers of the filer in the source's order. */
  tickers?: string[];
  ipoYear?: number | null;
  /** Cover-page shares of all classes as decimal text, and the date they were counted. */
  sharesOutstanding?: string | null;
  sharesAsOf?: LocalDate | null;
}
