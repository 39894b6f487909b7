import type { LocalDate } from '../../domain/local-date.ts';

/** A split as a source reports it; a 10-for-1 split is `{numerator: 10, denominator: 1}`. */
export interface SplitObservation {
  symbol: string;
  /** The first session on the new basis. */
  date: LocalDate;
  numerator: number;
  denominator: number;
}
