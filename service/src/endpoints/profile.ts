import { nextNewYorkMidnight } from '../domain/new-york.ts';
import type { Endpoint } from './endpoint.ts';
import { findSecurity } from './rows/find-security.ts';
import { loadCompanyProfiles, profileTopics } from './rows/load-profiles.ts';
import { pointInTimeOf, withPastReads } from './rows/past-reads.ts';
import { profileExample } from './rows/profile-example.ts';
import { companyProfile, type CompanyProfile } from './rows/profile-row.ts';
import { includeParameter } from './rows/provenance.ts';

export const endpoint: Endpoint = withPastReads({
  name: 'profile',
  path: '/v1/profile/{symbol}',
  summary: 'Company profile',
  describe:
    'The company behind a symbol: sector, industry, country, type, price, shares, market ' +
    'capitalization, next report. A former symbol returns 404 with `successorSymbol`. With ' +
    '`asOf`, price, market capitalization and average volume are null, because their history ' +
    'is not kept.',
  tag: 'companies',
  parameters: [
    {
      name: 'symbol',
      in: 'path',
      kind: 'symbol',
      required: true,
      describe: 'Ticker symbol, such as `AAPL` or `BRK.B`.',
    },
    includeParameter,
  ],
  response: companyProfile,
  example: profileExample satisfies CompanyProfile,
  datasets: ['profiles', 'securities', 'bars'],
  historicalAccess: false,
  topics: (values) => profileTopics([values.symbol('symbol')]),
  validUntil: (_, now) => nextNewYorkMidnight(now),
  maxAgeSeconds: () => 3600,
  async handle(values, { db, now }) {
    const point = pointInTimeOf(values, now);
    const holder = await findSecurity(db, values.symbol('symbol'), point);
    if ('kind' in holder) return holder;
    const { profiles, asOf, knownGaps } = await loadCompanyProfiles(db, [holder], {
      values,
      point,
    });
    const [body] = profiles;
    if (body !== undefined) return { kind: 'body', body, asOf, knownGaps };
    const { symbol } = holder;
    return { kind: 'unknown-symbol', symbol, suggestions: [], successorSymbol: null };
  },
});
