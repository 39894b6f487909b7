import {
  DIVIDEND_FREQUENCIES,
  DIVIDEND_STATUSES,
  DIVIDEND_TYPES,
  type DividendObservation,
} from '../../datasets/dividends/observation.ts';
import { exDateKey, withNumberedDividends } from '../kit/dividend-keys.ts';
import { entityKeyOrNull, readText, required } from '../kit/fields.ts';
import type { ParsedRow } from '../provider.ts';
import {
  accepting,
  mandatory,
  oneOf,
  readCurrency,
  readDate,
  readPositive,
  requireSymbol,
} from './cells.ts';
import { fileFeed } from './file-feed.ts';
import type { Columns } from './read-columns.ts';

const COLUMNS: Columns<DividendObservation> = {
  symbol: requireSymbol,
  name: accepting('a name', readText),
  exDate: mandatory(readDate),
  recordDate: readDate,
  paymentDate: readDate,
  declarationDate: readDate,
  amount: readPositive,
  indicatedAnnualAmount: readPositive,
  currency: readCurrency,
  type: oneOf(DIVIDEND_TYPES),
  frequency: oneOf<(typeof DIVIDEND_FREQUENCIES)[number]>(DIVIDEND_FREQUENCIES, {
    annually: 'annual',
    yearly: 'annual',
    semiannually: 'semi-annual',
    twiceayear: 'semi-annual',
  }),
  status: oneOf(DIVIDEND_STATUSES),
};

/** Dividends, one per row; `readme.md` lists the columns. */
export const dividends = fileFeed({
  dataset: 'dividends',
  columns: COLUMNS,
  entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
  toRow,
  finish: withNumberedDividends,
});

function toRow(cells: Partial<DividendObservation>): ParsedRow<'dividends'> {
  const { symbol, exDate, ...others } = cells;
  const fields: DividendObservation = {
    symbol: required(symbol ?? null, 'symbol'),
    exDate: required(exDate ?? null, 'exDate'),
    ...others,
  };
  const naturalKey = exDateKey(fields.exDate);
  return { dataset: 'dividends', entityKey: fields.symbol, naturalKey, fields };
}
