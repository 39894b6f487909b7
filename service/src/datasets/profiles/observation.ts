import type { LocalDate } from '../../domain/local-date.ts';

/**
 * The values that a source reports for a company or security. An absent property means that the
 * source never reports it.
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
  /** English name of the country in the source's spelling. */
  country?: string | null;
  countryCode?: string | null;
  /** EDGAR code for a state or country, such as `CA` or `K3`. */
  stateOrCountry?: string | null;
  entityType?: string | null;
  /** `MM-DD`. */
  fiscalYearEnd?: string | null;
  formerNames?: { name: string; until: LocalDate | null }[];
  /** The filer's canonical tickers in the source's order. */
  tickers?: string[];
  /** True if a list flags the security as an exchange-traded fund. */
  isEtf?: boolean | null;
  ipoYear?: number | null;
  /** Cover-page shares for all classes as decimal text, and the date on which they were counted. */
  sharesOutstanding?: string | null;
  sharesAsOf?: LocalDate | null;
}
