import type { DividendObservation } from './dividends/observation.ts';
import type { EarningsObservation } from './earnings/observation.ts';
import type { EconomicObservation } from './economic-events/observation.ts';
import type { IpoObservation } from './ipos/observation.ts';
import type { ProfileObservation } from './profiles/observation.ts';
import type { SecurityObservation } from './securities/observation.ts';
import type { SplitObservation } from './splits/observation.ts';

/**
 * The observation type for each data set that providers fill with rows. Daily bars are absent,
 * because they are passed in `Parsed.bars`.
 */
export interface ObservationOf {
  dividends: DividendObservation;
  earnings: EarningsObservation;
  'economic-events': EconomicObservation;
  ipos: IpoObservation;
  profiles: ProfileObservation;
  securities: SecurityObservation;
  splits: SplitObservation;
}

/** A data set that providers fill with rows. */
export type ObservedDataset = keyof ObservationOf;

/** Name of a data set, which is one of the folders in `datasets/` that export a `dataset`. */
export type DatasetName = ObservedDataset | 'bars';
