/** Limits for requests of a customer to the read API. */
export interface ReadLimits {
  /** Name of the plan. */
  name: string;
  /** Requests allowed in any trailing 60 seconds. */
  perMinute: number;
  /** Requests allowed per New York calendar day of 23, 24 or 25 hours. Null for no limit. */
  perDay: number | null;
  /** Requests allowed per New York calendar month. Null for no limit. */
  perMonth: number | null;
  /** Calendar months of history included in the plan. Null for unlimited history. */
  historyMonths: number | null;
  /**
   * Milliseconds per minute in which a process computes responses that no cache has. Null or absent
   * for no limit.
   */
  computeMsPerMinute?: number | null;
}

/**
 * The limits for a customer. Plans are table rows, not code. An operator can add one without a
 * release, so no code may depend on a plan's name.
 */
export interface Plan extends ReadLimits {
  computeMsPerMinute: number | null;
  /** Maximum number of watchlists. */
  watchlistsMax: number;
  /** Maximum number of companies on a watchlist. */
  watchlistCompaniesMax: number;
}
