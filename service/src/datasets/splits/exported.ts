import { TELLINGS } from '../exported-table.ts';
import type { ExportedTable } from '../exported-table.ts';

/** How it is written to files. */
export const exported: ExportedTable = {
  ...{ table: 'share_split', without: [], day: 'date', order: TELLINGS },
  // Every source's word: which of them is believed depends on the company's other splits.
  current: 'share_split',
};
