import type { Decimal } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { SplitObservation } from '../splits/observation.ts';

/** The values that a source reports for one symbol in one session. */
export interface BarObservation {
  symbol: string;
  /**
   * The session date. Null in an undated list, which shows the last session that had ended when the
   * list was observed.
   */
  date: LocalDate | null;
  open: Decimal | null;
  high: Decimal | null;
  low: Decimal | null;
  close: Decimal;
  /** Previous close, per share as of this session. */
  previousClose: Decimal | null;
  volume: number | null;
  /** Market cap in dollars; absent if the source does not report one. */
  marketCap?: Decimal | null;
  /**
   * The day up to which prices are adjusted for splits; null if they are as traded in that session.
   */
  basisDate: LocalDate | null;
}

/** The bars from one response. */
export interface BarObservations {
  /**
   * The market segment that an undated list covers; lists for the same segment form a sequence.
   * Null in dated feeds.
   */
  list: string | null;
  /** True if past prices are adjusted to the share basis of the request day. */
  isAdjusted: boolean;
  /** Splits in the same response. Adjusted prices reflect those that have already taken effect. */
  splits?: readonly SplitObservation[];
  rows: BarObservation[];
}
