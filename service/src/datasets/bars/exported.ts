import { TELLINGS } from '../exported-table.ts';
import type { ExportedTable } from '../exported-table.ts';
import { byPrecedence } from './precedence.ts';

/** How it is written to files. */
export const exported: ExportedTable = {
  ...{ table: 'price_bar', without: ['answer_id'], day: 'date', order: TELLINGS },
  // One bar a symbol and day: of several sources the one whose word stands. The primary key gives
  // them in order, so that nothing is sorted but the sources of a day.
  current: `(select distinct on (b.symbol, b.date) b.* from price_bar b
              where b.held is null order by b.symbol, b.date, ${byPrecedence('b')})`,
};
