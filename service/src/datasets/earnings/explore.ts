import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { defineExplore, ofCompaniesCalled, ofCompaniesWith } from '../explore.ts';
import { subjectsOfSecurity } from '../securities/subjects-of.ts';
import type { EarningsObservation } from './observation.ts';
import type { EarningsEvent } from './row.ts';
import { earningsVersions } from './store.ts';

/** Ends of one quarter that sources tell lie no further apart. */
const SAME_PERIOD_DAYS = 35;
const SAME_REPORT_DAYS = 45;
const SAME_FILING_DAYS = 5;

export const explore = defineExplore<EarningsEvent, EarningsObservation>({
  table: 'earnings_event',
  key: 'id',
  versions: earningsVersions,
  title: 'v.name',
  symbol: 'v.symbol',
  day: 'v.date',
  hasText: ofCompaniesWith,
  hasSymbol: ofCompaniesCalled,
  subjectsOf: (db, { securityId }) => subjectsOfSecurity(db, securityId),
  isAbout(fields, { date, fiscalPeriodEnd }) {
    if (fields.kind === 'filing') return isNear(fields.filingDate, date, SAME_FILING_DAYS);
    const end = fields.kind === 'financials' ? fields.periodEnd : (fields.fiscalPeriodEnd ?? null);
    if (end !== null && fiscalPeriodEnd !== null) {
      return isNear(end, fiscalPeriodEnd, SAME_PERIOD_DAYS);
    }
    return fields.kind === 'calendar' && isNear(fields.date, date, SAME_REPORT_DAYS);
  },
});

function isNear(a: LocalDate, b: LocalDate, days: number): boolean {
  return Math.abs(daysBetween(a, b)) <= days;
}
