import { ipoVersions } from '../../datasets/ipos/store.ts';
import { IPO_SOURCES, ipoRow, renderIpo } from '../rows/ipo-row.ts';
import { defineTable, storedVersions } from './table.ts';

export const table = defineTable({
  name: 'ipos',
  describe: 'Initial public offerings, from filing to pricing or withdrawal.',
  endpoint: '/v1/calendar/ipo',
  row: ipoRow,
  sources: IPO_SOURCES,
  stored: storedVersions('ipo', ipoVersions, { key: 'id', day: ['date', 'date'] }),
  render: renderIpo,
});
