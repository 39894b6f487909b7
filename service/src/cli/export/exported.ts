import type { ExportedTable } from '../../datasets/exported-table.ts';
import { datasets } from '../../datasets/registry.gen.ts';

/** What files are written of: a data set, or what operators say of the market. */
export interface Exported extends ExportedTable {
  name: string;
}

export const EXPORTED: readonly Exported[] = [
  ...datasets.map(({ name, exported }) => ({ name, ...exported })),
  {
    name: 'market-overrides',
    table: 'market_override',
    without: [],
    day: 'market_date',
    current: '(select * from market_override where revoked_at is null)',
    order: ['market_date', 'id'],
  },
];
