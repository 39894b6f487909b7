import { nextNewYorkMidnight } from '../domain/new-york.ts';
import type { Endpoint } from './endpoint.ts';
import { findSecurities } from './rows/find-security.ts';
import { loadCompanyProfiles, profileTopics } from './rows/load-profiles.ts';
import { pointInTimeOf, withPastReads } from './rows/past-reads.ts';
import { profileExample } from './rows/profile-example.ts';
import { companyProfile, type CompanyProfile } from './rows/profile-row.ts';
import { includeParameter } from './rows/provenance.ts';
import { companySymbolsParameter } from './rows/requested-companies.ts';
import { list } from './schema/fields.ts';

export const endpoint: Endpoint = withPastReads({
  name: 'profiles',
  path: '/v1/profile',
  summary: 'Profiles of several companies',
  describe:
    'The profiles of several symbols in one array, sorted by symbol, with the fields of ' +
    '`/v1/profile/{symbol}`. The header `X-Unknown-Symbols` names symbols that no security has, ' +
    'with their successors.',
  tag: 'companies',
  parameters: [{ ...companySymbolsParameter, required: true }, includeParameter],
  response: list(companyProfile, 'Profiles, by symbol.'),
  example: [profileExample satisfies CompanyProfile],
  rowKey: ['symbol'],
  datasets: ['profiles', 'securities', 'bars'],
  historicalAccess: false,
  topics: (values) => profileTopics(values.symbols('symbols') ?? []),
  validUntil: (_, now) => nextNewYorkMidnight(now),
  maxAgeSeconds: () => 3600,
  async handle(values, { db, now }) {
    const point = pointInTimeOf(values, now);
    const found = await findSecurities(db, values.symbols('symbols') ?? [], point);
    const loaded = await loadCompanyProfiles(db, found.securities, { values, point });
    const { profiles, unknown, asOf, knownGaps } = loaded;
    const unknownSymbols = [
      ...found.unknown,
      ...unknown.map(({ symbol }) => ({ symbol, successorSymbol: null })),
    ];
    return { kind: 'body', body: profiles, asOf, knownGaps, unknownSymbols };
  },
});
