import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { earningsVersions } from '../../datasets/earnings/store.ts';
import { companyEarningsRow, renderCompanyEarnings } from '../rows/company-earnings-row.ts';
import { EARNINGS_SOURCES } from '../rows/earnings-row.ts';
import { defineTable, storedVersions } from './table.ts';

export const table = defineTable<EarningsEvent>({
  name: 'earnings',
  describe: 'Earnings reports: schedule, consensus, results, surprise.',
  endpoint: '/v1/earnings',
  row: companyEarningsRow,
  omitted: ['marketCap'],
  places: { splitFactor: 12 },
  sources: EARNINGS_SOURCES,
  sourcedParts: ['estimates.eps', 'estimates.revenue'],
  stored: storedVersions('earnings_event', earningsVersions, {
    key: 'id',
    day: ['date', 'date'],
    securityId: 'security_id',
  }),
  render: (event) => renderCompanyEarnings(event, null),
});
