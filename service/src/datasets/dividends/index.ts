import { daysBetween } from '../../domain/local-date.ts';
import { CURRENT_VERSION, securitiesIn } from '../counts/coverage-table.ts';
import type { Dataset } from '../dataset.ts';
import { defineExplore, companyHasSymbol, companyMatches } from '../explore.ts';
import { entityKeysOf, loadOwners } from '../securities/owners.ts';
import { keysWithRecords, touchedKeys } from '../source-records/entity-keys.ts';
import { mergeDividends } from './merge.ts';
import type { DividendObservation } from './observation.ts';
import type { Dividend } from './row.ts';
import { dividendVersions } from './store.ts';

/**
 * A corrected ex-date is at most this many days away; the next monthly dividend is further away.
 */
const SAME_DIVIDEND_DAYS = 14;

export const dataset: Dataset = {
  name: 'dividends',
  describe: 'Dividends: ex-dates, amounts, how often they are paid.',
  after: ['securities', 'profiles'],
  due: 'daily',
  coverage: {
    table: 'dividend',
    condition: CURRENT_VERSION,
    dateColumn: 'ex_date',
    // Uses index dividend_by_security.
    symbols: securitiesIn('dividend'),
    fields: [
      ['amount', 'amount'],
      ['recordDate', 'record_date'],
      ['paymentDate', 'payment_date'],
      ['declarationDate', 'declaration_date'],
      ['frequency', 'frequency'],
    ],
  },
  explore: defineExplore<Dividend, DividendObservation>({
    table: 'dividend',
    key: 'id',
    versions: dividendVersions,
    title: 'v.name',
    symbol: 'v.symbol',
    day: 'v.ex_date',
    hasText: companyMatches,
    hasSymbol: companyHasSymbol,
    entityKeysOf: (db, { securityId }) => entityKeysOf(db, securityId),
    isAbout: (fields, { exDate }) =>
      Math.abs(daysBetween(fields.exDate, exDate)) <= SAME_DIVIDEND_DAYS,
  }),
  async merge(context, { rows, listing, missing, market }) {
    // The profile determines whether another market's rules apply.
    const profiled = touchedKeys(rows, 'profiles', (row) => row.mattersToOrder);
    const owners = await loadOwners(context.tx, profiled);
    const symbols = owners.flatMap(({ symbols: spans }) => spans.map(({ symbol }) => symbol));
    const entityKeys = [
      // Includes rows that repeat known values, because the most recently seen value wins.
      ...touchedKeys(rows, 'dividends'),
      ...(missing.get('dividends') ?? []),
      ...(await keysWithRecords(context.tx, 'dividends', [...symbols, ...listing.affectedKeys])),
    ];
    return mergeDividends(
      context,
      await loadOwners(context.tx, entityKeys),
      listing.removedIds,
      market,
    );
  },
};
