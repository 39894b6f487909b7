import { type ExportedTable, TELLINGS } from '../exported-table.ts';
import { byPrecedence } from './precedence.ts';

/** How it is written to files. */
export const exported: ExportedTable = {
  table: 'price_bar',
  without: ['answer_id'],
  day: 'date',
  order: TELLINGS,
  current: `(select distinct on (b.symbol, b.date) b.* from price_bar b
              where b.held is null order by b.symbol, b.date, ${byPrecedence('b')})`,
};
