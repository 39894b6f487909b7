import type { SplitObservation } from '../../datasets/splits/observation.ts';
import { entityKeyOrNull, readText, required } from '../kit/fields.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParsedRow } from '../provider.ts';
import { accepting, readDate, requireSymbol, wholeNumber } from './cells.ts';
import { fileFeed } from './file-feed.ts';
import type { Columns } from './read-columns.ts';

type Ratio = Pick<SplitObservation, 'numerator' | 'denominator'>;
type SplitCells = { [Name in keyof SplitObservation]: SplitObservation[Name] | null } & {
  ratio: Ratio | null;
};

const SHARES_MAX = 1_000_000;

const COLUMNS: Columns<SplitCells> = {
  symbol: requireSymbol,
  date: readDate,
  numerator: wholeNumber(1, SHARES_MAX),
  denominator: wholeNumber(1, SHARES_MAX),
  ratio: accepting('new shares for old shares, such as 10:1 or 1-for-25', (row, name) => {
    const text = readText(row, name);
    if (text === null) return null;
    const [, numerator, denominator] =
      /^(\d{1,7})(?:\.0)?\s*(?::|\/|-?\s*for\s*-?)\s*(\d{1,7})(?:\.0)?$/i.exec(text) ?? [];
    const ratio = { numerator: Number(numerator), denominator: Number(denominator) };
    if (Object.values(ratio).every((shares) => shares >= 1 && shares <= SHARES_MAX)) return ratio;
    throw new RowError('bad-shape', `${name} is ${text}`);
  }),
};

/** Splits, one per row; `readme.md` lists the columns. */
export const splits = fileFeed({
  dataset: 'splits',
  columns: COLUMNS,
  entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
  toRow,
});

function toRow(cells: Partial<SplitCells>): ParsedRow<'splits'> {
  const { numerator, denominator } = cells.ratio ?? cells;
  const fields: SplitObservation = {
    symbol: required(cells.symbol ?? null, 'symbol'),
    date: required(cells.date ?? null, 'date'),
    numerator: required(numerator ?? null, 'numerator'),
    denominator: required(denominator ?? null, 'denominator'),
  };
  return { dataset: 'splits', entityKey: fields.symbol, naturalKey: fields.date, fields };
}
