import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { CURRENT_VERSION, securitiesIn } from '../counts/coverage-table.ts';
import type { Dataset } from '../dataset.ts';
import { companyHasSymbol, companyMatches, defineExplore } from '../explore.ts';
import { entityKeysOf, loadOwnersWithClasses, withFilerKeys } from '../securities/owners.ts';
import { filerOf, keysWithRecords, touchedKeys } from '../source-records/entity-keys.ts';
import { isCallFor } from './calls.ts';
import { mergeEarnings } from './merge.ts';
import type { EarningsObservation } from './observation.ts';
import type { EarningsEvent } from './row.ts';
import { earningsVersions, loadIdsWithReports, symbolsOfPassedProjections } from './store.ts';

export const dataset: Dataset = {
  name: 'earnings',
  describe: 'Earnings reports: schedule, consensus, results.',
  after: ['securities', 'profiles', 'splits'],
  due: 'daily',
  coverage: {
    table: 'earnings_event',
    condition: CURRENT_VERSION,
    dateColumn: 'date',
    // Uses index earnings_event_by_security.
    symbols: securitiesIn('earnings_event'),
    fields: [
      ['time', `nullif("time", 'time-not-supplied')`],
      ['epsEstimate', 'eps_estimate'],
      ['eps', 'eps'],
      ['revenueEstimate', 'revenue_estimate'],
      ['revenue', 'revenue'],
      ['estimateCount', 'estimate_count'],
      ['epsYearAgo', 'eps_year_ago'],
      ['fiscalQuarter', 'fiscal_quarter'],
      ['reportedAt', 'reported_at'],
      ['callAt', 'call_at'],
      ['estimates', 'estimates'],
      ['guidance', 'guidance'],
    ],
  },
  explore: defineExplore<EarningsEvent, EarningsObservation>({
    table: 'earnings_event',
    key: 'id',
    versions: earningsVersions,
    title: 'v.name',
    symbol: 'v.symbol',
    day: 'v.date',
    hasText: companyMatches,
    hasSymbol: companyHasSymbol,
    entityKeysOf: (db, { securityId }) => entityKeysOf(db, securityId),
    isAbout: isObservationOf,
  }),
  async merge(context, { rows, listing, missing, market }) {
    // The fiscal year end comes from the filer's profile.
    const filersProfiled = touchedKeys(rows, 'profiles', (row) => row.mattersToOrder).filter(
      (key) => filerOf(key) !== null,
    );
    // EPS values depend on splits, because they are on today's share basis.
    const splitSymbols = touchedKeys(rows, 'splits', (row) => row.mattersToOrder);
    const changed = await loadOwnersWithClasses(context.tx, listing.affectedKeys);
    const entityKeys = [
      // Includes repeated rows, because the time at which a consensus was last seen before a
      // release matters.
      ...touchedKeys(rows, 'earnings'),
      ...(missing.get('earnings') ?? []),
      // Includes filers without earnings records, because all such records may be stored under
      // their symbols.
      ...filersProfiled,
      // Projected days pass without an observation. The first commit of a day moves them.
      ...(await symbolsOfPassedProjections(context.tx, newYorkDate(context.now))),
      ...(await keysWithRecords(context.tx, 'earnings', [
        ...listing.affectedKeys,
        // A class without records has the reports of the other classes.
        ...changed.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol)),
        ...(await withFilerKeys(context.tx, splitSymbols)),
      ])),
    ];
    const owners = await loadOwnersWithClasses(context.tx, entityKeys);
    const securities = new Map(owners.map((security) => [security.id, security]));
    // A changed security may have lost the symbol or the filer that has all its records.
    const others = changed.filter(({ id }) => !securities.has(id));
    const reporting = await loadIdsWithReports(context.tx, others);
    for (const security of others) {
      if (reporting.has(security.id)) securities.set(security.id, security);
    }
    return mergeEarnings(context, {
      securities: [...securities.values()],
      ciks: [...new Set(entityKeys.flatMap((key) => filerOf(key) ?? []))],
      removedIds: listing.removedIds,
      market,
    });
  },
};

/** Maximum number of days by which sources disagree about the end of a quarter. */
const SAME_PERIOD_DAYS = 35;
const SAME_REPORT_DAYS = 45;
const SAME_FILING_DAYS = 5;

function isObservationOf(
  fields: EarningsObservation,
  { date, fiscalPeriodEnd }: EarningsEvent,
): boolean {
  if (fields.kind === 'acceptances') return false;
  if (fields.kind === 'filing') return isNear(fields.filingDate, date, SAME_FILING_DAYS);
  if (fields.kind === 'call') return isCallFor(fields.callAt, date);
  const end = 'periodEnd' in fields ? fields.periodEnd : (fields.fiscalPeriodEnd ?? null);
  if (end !== null && fiscalPeriodEnd !== null) {
    return isNear(end, fiscalPeriodEnd, SAME_PERIOD_DAYS);
  }
  return fields.kind === 'calendar' && isNear(fields.date, date, SAME_REPORT_DAYS);
}

function isNear(a: LocalDate, b: LocalDate, days: number): boolean {
  return Math.abs(daysBetween(a, b)) <= days;
}
