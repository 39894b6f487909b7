/**
 * Thrown if a row is invalid. The rest of the response is not affected. `reason` is a code in kebab
 * case, used for counting.
 */
export class RowError extends Error {
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.name = 'RowError';
    this.reason = reason;
  }
}
