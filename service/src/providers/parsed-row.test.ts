import { expectTypeOf, test } from 'vitest';
import type { CalendarObservation } from '../datasets/earnings/observation.ts';
import type { DividendObservation } from '../datasets/dividends/observation.ts';
import type { ProfileObservation } from '../datasets/profiles/observation.ts';
import type { SecurityObservation } from '../datasets/securities/observation.ts';
import type { ParsedRow } from './provider.ts';

/** A row as a provider would return it. */
interface RowWith<Dataset, Fields> {
  dataset: Dataset;
  entityKey: string;
  naturalKey: string;
  fields: Fields;
}

test('accepts a row with the observation of its own data set', () => {
  expectTypeOf<RowWith<'dividends', DividendObservation>>().toExtend<ParsedRow>();
  expectTypeOf<RowWith<'earnings', CalendarObservation>>().toExtend<ParsedRow>();
  expectTypeOf<RowWith<'profiles', ProfileObservation>>().toExtend<ParsedRow>();
});

test('rejects a row with the observation of a different data set', () => {
  expectTypeOf<RowWith<'dividends', CalendarObservation>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'earnings', DividendObservation>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'profiles', SecurityObservation>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'profiles', CalendarObservation>>().not.toExtend<ParsedRow>();
});

test('rejects rows of bars, which are returned separately, and of unknown data sets', () => {
  expectTypeOf<RowWith<'bars', object>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'prices', DividendObservation>>().not.toExtend<ParsedRow>();
});
