/**
 * What a customer may ask for. Plans are rows of a table, not code: an operator adds one without a
 * release, so nothing may branch on the name.
 */
export interface Plan {
  name: string;
  /** Requests in any trailing 60 seconds. */
  perMinute: number;
  /** Requests in one New York civil day, of 23, 24 or 25 hours; null is no limit. */
  perDay: number | null;
  /** Requests in one New York civil month; null is no limit. */
  perMonth: number | null;
  /** Calendar months of history the plan may see; null is all of it. */
  historyMonths: number | null;
}
