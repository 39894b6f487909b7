import type { BarObservation } from '../../datasets/bars/observation.ts';
import { entityKeyOrNull, required, requireSymbol } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readBars } from '../kit/read-bars.ts';
import type { Feed, ParseResult, SourceResponse } from '../provider.ts';
import { readDate, readPositive, wholeNumber } from './cells.ts';
import { type Columns, readColumns } from './read-columns.ts';
import { datasetOf, tableRows } from './table.ts';

type BarRow = Omit<BarObservation, 'close' | 'previousClose' | 'marketCap'> & {
  close: string | null;
};

const COLUMNS: Columns<BarRow> = {
  symbol: requireSymbol,
  date: readDate,
  open: readPositive,
  high: readPositive,
  low: readPositive,
  close: readPositive,
  volume: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  basisDate: readDate,
};

/** Daily bars, one per row; `readme.md` lists the columns. */
export const bars: Feed = {
  name: 'bars',
  datasets: ['bars'],
  claims: (response) => datasetOf(response) === 'bars',
  parse,
};

function parse(response: SourceResponse): ParseResult {
  return readBars({
    rows: tableRows(response).map(withSmallNames),
    list: null,
    isAdjusted: false,
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: readRow,
  });
}

function readRow(row: JsonObject): BarObservation {
  const cells = readColumns(row, COLUMNS);
  return {
    symbol: requireSymbol(row, 'symbol'),
    date: required(cells.date ?? null, 'date'),
    open: cells.open ?? null,
    high: cells.high ?? null,
    low: cells.low ?? null,
    close: required(cells.close ?? null, 'close'),
    previousClose: null,
    volume: cells.volume ?? null,
    basisDate: cells.basisDate ?? null,
  };
}

/**
 * Lowercases the first letter of each column name, since most price tables use `Close` instead of
 * `close`.
 */
function withSmallNames(row: unknown): unknown {
  if (!isJsonObject(row)) return row;
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name.charAt(0).toLowerCase() + name.slice(1), cell]),
  );
}
