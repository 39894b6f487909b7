/** Part of a document around one value, as plain text: the rows of a table, or one line of prose. */
export type DocumentExcerpt = readonly (readonly ExcerptCell[])[];

export interface ExcerptCell {
  text: string;
  /** Number of columns that the cell covers. */
  columns: number;
  /** Start and end of the value in `text`; null for other cells. */
  highlight: { start: number; end: number } | null;
}
