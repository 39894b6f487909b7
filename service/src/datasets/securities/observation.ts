/** A row in a list of securities, which states that the ticker belongs to the filer. */
export interface SecurityObservation {
  symbol: string;
  /** Ten digits. */
  cik: string | null;
  name: string | null;
  /** Name of the exchange in the source's spelling: Nasdaq, NYSE, OTC, CBOE … */
  exchange: string | null;
}
