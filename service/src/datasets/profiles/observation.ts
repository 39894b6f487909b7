import type { LocalDate } from '../../domain/local-date.ts';

/** What a source says of a company or security; absent properties are not spoken of. */
export interface ProfileObservation {
  cik?: string | null;
  symbol?: string;
  companyName?: string | null;
  exchange?: string | null;
  sector?: string | null;
  industry?: string | null;
  sicCode?: string | null;
  sicDescription?: string | null;
  /** English name as the source writes it. */
  country?: string | null;
  countryCode?: string | null;
  /** EDGAR's code of state or country, such as `CA` or `K3`. */
  stateOrCountry?: string | null;
  entityType?: string | null;
  /** `MM-DD`. */
  fiscalYearEnd?: string | null;
  formerNames?: { name: string; until: LocalDate | null }[];
  /** Tickers of the filer in the source's own order, canonical. */
  tickers?: string[];
  ipoYear?: number | null;
  /** Cover-page shares of all classes, decimal text, and the day they were counted. */
  sharesOutstanding?: string | null;
  sharesAsOf?: LocalDate | null;
}
