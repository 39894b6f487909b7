import type { Dividend } from '../../datasets/dividends/row.ts';
import { dividendVersions } from '../../datasets/dividends/store.ts';
import { DIVIDEND_SOURCES, dividendRow, renderDividend } from '../rows/dividend-row.ts';
import { defineTable, storedVersions } from './table.ts';

export const table = defineTable<Dividend>({
  name: 'dividends',
  describe: 'Dividends: dates, amounts as declared, how often they are paid.',
  endpoint: '/v1/calendar/dividends',
  row: dividendRow,
  omitted: ['splitAdjustedAmount', 'yield'],
  sources: DIVIDEND_SOURCES,
  stored: storedVersions('dividend', dividendVersions, {
    key: 'id',
    day: ['ex_date', 'exDate'],
    securityId: 'security_id',
  }),
  render: renderDividend,
});
