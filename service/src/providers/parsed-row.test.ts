import { expectTypeOf, test } from 'vitest';
import type { CalendarObservation } from '../datasets/earnings/observation.ts';
import type { DividendObservation } from '../datasets/dividends/observation.ts';
import type { ProfileObservation } from '../datasets/profiles/observation.ts';
import type { SecurityObservation } from '../datasets/securities/observation.ts';
import type { ParsedRow } from './provider.ts';

/** A row in the form that a provider returns. */
interface RowWith<Dataset, Fields> {
  dataset: Dataset;
  entityKey: string;
  naturalKey: string;
  fields: Fields;
}

test('accepts a row with an observation from its own data set', () => {
  expectTypeOf<RowWith<'dividends', DividendObservation>>().toExtend<ParsedRow>();
  expectTypeOf<RowWith<'earnings', CalendarObservation>>().toExtend<ParsedRow>();
  expectTypeOf<RowWith<'profiles', ProfileObservation>>().toExtend<ParsedRow>();
});

test('rejects a row with an observation from a different data set', () => {
  expectTypeOf<RowWith<'dividends', CalendarObservation>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'earnings', DividendObservation>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'profiles', SecurityObservation>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'profiles', CalendarObservation>>().not.toExtend<ParsedRow>();
});

test('does not accept rows of bars, which are returned separately, or rows of unknown data sets', () => {
  expectTypeOf<RowWith<'bars', object>>().not.toExtend<ParsedRow>();
  expectTypeOf<RowWith<'prices', DividendObservation>>().not.toExtend<ParsedRow>();
});
