import { CURRENT_VERSION, securitiesIn } from '../counts/coverage-table.ts';
import type { Dataset } from '../dataset.ts';
import { defineExplore, companyHasSymbol, companyMatches } from '../explore.ts';
import { entityKeysOf, loadOwnersWithClasses } from '../securities/owners.ts';
import { touchedKeys } from '../source-records/entity-keys.ts';
import { markFormerNames, mergeProfiles } from './merge.ts';
import type { Profile } from './row.ts';
import { profileVersions } from './store.ts';

export const dataset: Dataset = {
  name: 'profiles',
  describe: 'Company profiles: sector, industry, country, type, shares.',
  after: ['securities'],
  due: 'trading-day',
  coverage: {
    table: 'profile',
    condition: CURRENT_VERSION,
    dateColumn: null,
    // Uses index profile_current.
    symbols: securitiesIn('profile'),
    fields: [
      ['sector', `fields->>'sector'`],
      ['industry', `fields->>'industry'`],
      ['country', `fields->>'country'`],
      ['outstandingShares', `fields->>'outstandingShares'`],
      ['fiscalYearEnd', `fields->>'fiscalYearEnd'`],
    ],
  },
  explore: defineExplore<Profile, object>({
    table: 'profile',
    key: 'security_id',
    versions: profileVersions,
    title: `v.fields->>'companyName'`,
    symbol: 'v.symbol',
    day: null,
    hasText: companyMatches,
    hasSymbol: companyHasSymbol,
    factsOf: ({ securityId, symbol, fields }) => ({ securityId, symbol, ...fields }),
    entityKeysOf: (db, { securityId }) => entityKeysOf(db, securityId),
    isAbout: () => true,
  }),
  async merge(context, { rows, listing }) {
    // Excludes rows that repeat known values, because they change nothing.
    const entityKeys = touchedKeys(rows, 'profiles', (row) => row.mattersToOrder);
    const owners = await loadOwnersWithClasses(context.tx, [
      ...entityKeys,
      ...listing.affectedKeys,
    ]);
    const result = await mergeProfiles(context, owners, listing.removedIds);
    markFormerNames(result, rows, owners);
    return result;
  },
};
