import type { Decimal } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { SplitObservation } from '../splits/observation.ts';

/** What a source says of one session of one symbol. */
export interface BarObservation {
  symbol: string;
  /** The session; null in a list that does not tell: it is the newest that was over when seen. */
  date: LocalDate | null;
  open: Decimal | null;
  high: Decimal | null;
  low: Decimal | null;
  close: Decimal;
  /** The close before, in the shares of this session. */
  previousClose: Decimal | null;
  volume: number | null;
  /** The market value told beside it, in dollars; absent where the source has none. */
  marketCap?: Decimal | null;
  /** The day up to which splits are counted in already; null: as traded on that session. */
  basisDate: LocalDate | null;
}

/** The bars of one answer. */
export interface BarObservations {
  /** For undated lists: which part of the market it is. Lists of one part follow on each other. */
  list: string | null;
  /** Prices of the past are on the share basis of the day on which the source was asked. */
  isAdjusted: boolean;
  /** What the same answer tells of splits: adjusted prices count those in that have happened. */
  splits?: readonly SplitObservation[];
  rows: BarObservation[];
}
