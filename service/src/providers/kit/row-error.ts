/** This one row is of no use; the rest of the page is. `reason` is kebab-case and countable. */
export class RowError extends Error {
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.name = 'RowError';
    this.reason = reason;
  }
}
