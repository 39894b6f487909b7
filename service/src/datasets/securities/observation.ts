/** A row of a list of listed securities: this ticker belongs to that filer. */
export interface SecurityObservation {
  symbol: string;
  /** Ten digits. */
  cik: string | null;
  name: string | null;
  /** As the source names it: Nasdaq, NYSE, OTC, CBOE … */
  exchange: string | null;
}
