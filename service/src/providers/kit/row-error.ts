/**
 * The row is invalid; the rest of the response is not affected. `reason` is a countable code in
 * kebab case.
 */
export class RowError extends Error {
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.name = 'RowError';
    this.reason = reason;
  }
}
