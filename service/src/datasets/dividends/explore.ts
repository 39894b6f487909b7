import { daysBetween } from '../../domain/local-date.ts';
import { defineExplore, ofCompaniesCalled, ofCompaniesWith } from '../explore.ts';
import { subjectsOfSecurity } from '../securities/subjects-of.ts';
import type { DividendObservation } from './observation.ts';
import type { Dividend } from './row.ts';
import { dividendVersions } from './store.ts';

/** A corrected ex-date lies no further off than this, the next monthly dividend further. */
const SAME_DIVIDEND_DAYS = 14;

export const explore = defineExplore<Dividend, DividendObservation>({
  table: 'dividend',
  key: 'id',
  versions: dividendVersions,
  title: 'v.name',
  symbol: 'v.symbol',
  day: 'v.ex_date',
  hasText: ofCompaniesWith,
  hasSymbol: ofCompaniesCalled,
  subjectsOf: (db, { securityId }) => subjectsOfSecurity(db, securityId),
  isAbout: (fields, { exDate }) =>
    Math.abs(daysBetween(fields.exDate, exDate)) <= SAME_DIVIDEND_DAYS,
});
