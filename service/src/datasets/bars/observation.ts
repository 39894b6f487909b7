import type { Decimal } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { SplitObservation } from '../splits/observation.ts';

/** The values that a source reports for one session of one symbol. */
export interface BarObservation {
  symbol: string;
  /**
   * The session; null in an undated list, which is of the newest session that had ended when it was
   * seen.
   */
  date: LocalDate | null;
  open: Decimal | null;
  high: Decimal | null;
  low: Decimal | null;
  close: Decimal;
  /** Previous close, in the shares of this session. */
  previousClose: Decimal | null;
  volume: number | null;
  /** Market cap in dollars; absent if the source has none. */
  marketCap?: Decimal | null;
  /** The day up to which splits are included; null: as traded in that session. */
  basisDate: LocalDate | null;
}

/** The bars of one response. */
export interface BarObservations {
  /** For undated lists, the part of the market. Lists of one part form a sequence. */
  list: string | null;
  /** Past prices are on the share basis of the day of the request. */
  isAdjusted: boolean;
  /** Splits in the same response. Adjusted prices include those that have happened. */
  splits?: readonly SplitObservation[];
  rows: BarObservation[];
}
