import type { SecurityObservation } from '../../datasets/securities/observation.ts';
import { entityKeyOrNull, readText, required } from '../kit/fields.ts';
import type { ParsedRow } from '../provider.ts';
import { readCik, requireSymbol } from './cells.ts';
import { fileFeed } from './file-feed.ts';
import type { Columns } from './read-columns.ts';

const COLUMNS: Columns<SecurityObservation> = {
  symbol: requireSymbol,
  cik: readCik,
  name: readText,
  exchange: readText,
};

/** Tickers and their filers, one per row; `readme.md` lists the columns. */
export const securities = fileFeed({
  dataset: 'securities',
  columns: COLUMNS,
  entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
  toRow,
});

function toRow(cells: Partial<SecurityObservation>): ParsedRow<'securities'> {
  const fields: SecurityObservation = {
    symbol: required(cells.symbol ?? null, 'symbol'),
    cik: cells.cik ?? null,
    name: cells.name ?? null,
    exchange: cells.exchange ?? null,
  };
  return { dataset: 'securities', entityKey: fields.symbol, naturalKey: 'listing', fields };
}
