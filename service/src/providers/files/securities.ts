import type { SecurityObservation } from '../../datasets/securities/observation.ts';
import { entityKeyOrNull, readText, required, requireSymbol } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { readCik } from './cells.ts';
import { type Columns, readColumns } from './read-columns.ts';
import { datasetOf, tableRows } from './table.ts';

const COLUMNS: Columns<SecurityObservation> = {
  symbol: requireSymbol,
  cik: readCik,
  name: readText,
  exchange: readText,
};

/** Tickers and their filers, one per row; `readme.md` lists the columns. */
export const securities: Feed = {
  name: 'securities',
  datasets: ['securities'],
  claims: (response) => datasetOf(response) === 'securities',
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const parsed = readRows({
    dataset: 'securities',
    rows: tableRows(response),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: readRow,
  });
  return rejectConflicts(parsed);
}

function readRow(row: JsonObject): ParsedRow<'securities'> {
  const read = readColumns(row, COLUMNS);
  const fields: SecurityObservation = {
    symbol: required(read.symbol ?? null, 'symbol'),
    cik: read.cik ?? null,
    name: read.name ?? null,
    exchange: read.exchange ?? null,
  };
  return { dataset: 'securities', entityKey: fields.symbol, naturalKey: 'listing', fields };
}
