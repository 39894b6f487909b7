import { defineExplore, ofCompaniesCalled, ofCompaniesWith } from '../explore.ts';
import { subjectsOfSecurity } from '../securities/subjects-of.ts';
import type { Profile } from './row.ts';
import { profileVersions } from './store.ts';

export const explore = defineExplore<Profile, object>({
  table: 'profile',
  key: 'security_id',
  versions: profileVersions,
  title: `v.fields->>'companyName'`,
  symbol: 'v.symbol',
  day: null,
  hasText: ofCompaniesWith,
  hasSymbol: ofCompaniesCalled,
  factsOf: ({ securityId, symbol, fields }) => ({
    securityId,
    symbol,
    ...fields,
  }),
  subjectsOf: (db, { securityId }) => subjectsOfSecurity(db, securityId),
  isAbout: () => true,
});
