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

test('the row type accepts the observation of its data set', () => {
  expectTypeOf<RowWith<'dividends', DividendObservation>>().toExtend<ParsedRow>();
  expectTypeOf<RowWith<'earnings', CalendarObservation>>().toExtend<ParsedRow>();
  expectTypeOf<RowWith<'profiles', ProfileObservation>>().toExtend<ParsedRow>();
});

test('the row type rejects the observation of another data set', () => {
  expectTypeOf<RowWith<'dividends', CalendarObservation>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'earnings', DividendObservation>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'profiles', SecurityObservation>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'profiles', CalendarObservation>>().not.toExtend<ParsedRow>();
});

test('the row type rejects bars, which are returned separately, and unknown data sets', () => {
  expectTypeOf<RowWith<'bars', object>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'prices', DividendObservation>>().not.toExtend<ParsedRow>();
});
