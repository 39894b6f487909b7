/**
 * The limits of a customer. Plans are table rows, not code: an operator adds one without a release,
 * so no code may depend on a plan's name.
 */
export interface Plan {
  name: string;
  /** Requests in any trailing 60 seconds. */
  perMinute: number;
  /** Requests per New York civil day of 23, 24 or 25 hours; null for no limit. */
  perDay: number | null;
  /** Requests per New York civil month; null for no limit. */
  perMonth: number | null;
  /** Calendar months of history included in the plan; null for all. */
  historyMonths: number | null;
}
