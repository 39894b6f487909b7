/**
 * Thrown if a row is invalid. The rest of the response is not affected. `reason` is a code in kebab
 * case, used for counting.
 */
export class RowError extends Error {
  readonly reason: string;
  /** The cell that made the row invalid, if a single one did. */
  readonly cell: InvalidCell | null;

  constructor(reason: string, detail: string, cell: InvalidCell | null = null) {
    super(detail);
    this.name = 'RowError';
    this.reason = reason;
    this.cell = cell;
  }
}

/** A rejected cell of a table. */
export interface InvalidCell {
  /** Column name as written in the table. */
  column: string;
  value: unknown;
  /** Describes the accepted values. */
  accepted: string;
}
