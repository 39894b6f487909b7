import type { Decimal } from '../../../domain/decimal.ts';

/** A value with the cell or the sentence that states it. */
export interface Figure {
  value: Decimal;
  /** `USD/share`, `USD`. */
  unit: string;
  /** Label of the row, with the headings above it; the sentence for a value from prose. */
  row: string;
  /** Head of the column; empty for a value from prose. */
  column: string;
  /** Position in the document, in UTF-16 code units. */
  offset: number;
  /** The same row's value for the quarter a year before; absent or null without such a column. */
  yearAgo?: Decimal | null;
}

/** A field that the document seems to state, but that failed a check. */
export interface Refusal {
  field: string;
  reason: string;
  /** The values that were found. */
  values?: Decimal[];
}

export type Finding = { figure: Figure } | { refusal: Refusal } | null;
