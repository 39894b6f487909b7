import { type ExportedTable, TELLINGS } from '../exported-table.ts';

/** How it is written to files. */
export const exported: ExportedTable = {
  table: 'share_split',
  without: [],
  day: 'date',
  order: TELLINGS,
  current: 'share_split',
};
