import type { SplitObservation } from '../../datasets/splits/observation.ts';
import { entityKeyOrNull, required, requireSymbol } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { readDate, wholeNumber } from './cells.ts';
import { type Columns, readColumns } from './read-columns.ts';
import { datasetOf, tableRows } from './table.ts';

type SplitRow = { [Name in keyof SplitObservation]: SplitObservation[Name] | null };

const SHARES_MAX = 1_000_000;

const COLUMNS: Columns<SplitRow> = {
  symbol: requireSymbol,
  date: readDate,
  numerator: wholeNumber(1, SHARES_MAX),
  denominator: wholeNumber(1, SHARES_MAX),
};

/** Splits, one per row; `readme.md` lists the columns. */
export const splits: Feed = {
  name: 'splits',
  datasets: ['splits'],
  claims: (response) => datasetOf(response) === 'splits',
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const parsed = readRows({
    dataset: 'splits',
    rows: tableRows(response),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: readRow,
  });
  return rejectConflicts(parsed);
}

function readRow(row: JsonObject): ParsedRow<'splits'> {
  const cells = readColumns(row, COLUMNS);
  const fields: SplitObservation = {
    symbol: requireSymbol(row, 'symbol'),
    date: required(cells.date ?? null, 'date'),
    numerator: required(cells.numerator ?? null, 'numerator'),
    denominator: required(cells.denominator ?? null, 'denominator'),
  };
  return { dataset: 'splits', entityKey: fields.symbol, naturalKey: fields.date, fields };
}
