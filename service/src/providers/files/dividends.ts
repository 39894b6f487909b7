import {
  DIVIDEND_FREQUENCIES,
  DIVIDEND_STATUSES,
  DIVIDEND_TYPES,
  type DividendObservation,
} from '../../datasets/dividends/observation.ts';
import { exDateKey, withNumberedDividends } from '../kit/dividend-keys.ts';
import { entityKeyOrNull, readText, required, requireSymbol } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { matching, oneOf, readDate, readPositive } from './cells.ts';
import { type Columns, readColumns } from './read-columns.ts';
import { datasetOf, tableRows } from './table.ts';

const COLUMNS: Columns<DividendObservation> = {
  symbol: requireSymbol,
  name: readText,
  exDate: (row, name) => required(readDate(row, name), name),
  recordDate: readDate,
  paymentDate: readDate,
  declarationDate: readDate,
  amount: readPositive,
  indicatedAnnualAmount: readPositive,
  currency: matching(/^[A-Z]{3}$/),
  type: oneOf(DIVIDEND_TYPES),
  frequency: oneOf(DIVIDEND_FREQUENCIES),
  status: oneOf(DIVIDEND_STATUSES),
};

/** Dividends, one per row; `readme.md` lists the columns. */
export const dividends: Feed = {
  name: 'dividends',
  datasets: ['dividends'],
  claims: (response) => datasetOf(response) === 'dividends',
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const parsed = readRows({
    dataset: 'dividends',
    rows: tableRows(response),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: readRow,
  });
  return rejectConflicts(withNumberedDividends(parsed));
}

function readRow(row: JsonObject): ParsedRow<'dividends'> {
  const { symbol, exDate, ...others } = readColumns(row, COLUMNS);
  const fields: DividendObservation = {
    symbol: required(symbol ?? null, 'symbol'),
    exDate: required(exDate ?? null, 'exDate'),
    ...others,
  };
  const naturalKey = exDateKey(fields.exDate);
  return { dataset: 'dividends', entityKey: fields.symbol, naturalKey, fields };
}
