import type { DividendObservation, DividendType } from '../../datasets/dividends/observation.ts';
import { type Decimal, divideDecimals, multiplyDecimals } from '../../domain/decimal.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { type DividendRow, exDateKey, withNumberedDividends } from '../kit/dividend-keys.ts';
import { positiveOrNull, readText, required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { joinParsed, readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParsedRow, ParseResult } from '../provider.ts';
import type { ParsedSplits } from './chart-splits.ts';
import { readFigure, readTimestamp } from './values.ts';

/** Number of decimals to which the source rounds adjusted amounts. */
const PLACES = 6;

/**
 * Reads a chart's `events.dividends` by ex-date, and the capital gains that a fund paid out
 * (`events.capitalGains`) as special dividends. The source adjusts amounts for all later splits, so
 * the splits in the chart are undone to get the declared amounts. If splits may be missing
 * (`splits` is null, or a later split is unreadable), the declared amount is unknown and the row is
 * rejected.
 */
export function readDividends(
  events: JsonObject,
  symbol: string,
  splits: ParsedSplits | null,
): ParseResult {
  const readList = (name: string, type: DividendType | null): ParseResult<DividendRow> => {
    const list = events[name];
    return readRows({
      dataset: 'dividends',
      rows: isJsonObject(list) ? Object.values(list) : [],
      entityKeyOf: () => symbol,
      read: (row) => readRow(row, { symbol, type, splits }),
    });
  };
  const parsed = joinParsed([readList('dividends', null), readList('capitalGains', 'special')]);
  return withNumberedDividends(parsed);
}

interface DividendContext {
  symbol: string;
  /** Null if the chart does not specify it. */
  type: DividendType | null;
  splits: ParsedSplits | null;
}

function readRow(
  row: JsonObject,
  { symbol, type, splits }: DividendContext,
): ParsedRow<'dividends'> {
  const exDate = newYorkDate(required(readTimestamp(row['date']), 'date'));
  const amount = required(positiveOrNull(readFigure(row['amount']), 'amount'), 'amount');
  if (splits === null || splits.unreadDates.some((day) => day === null || day > exDate)) {
    throw new RowError('unknown-share-basis', 'later splits are not all known');
  }
  const laterSplits = splits.rows.map(({ fields }) => fields).filter(({ date }) => date > exDate);
  const fields: DividendObservation = {
    symbol,
    exDate,
    amount: undoSplits(amount, laterSplits),
    currency: readCurrency(row),
    ...(type !== null && { type }),
  };
  return { dataset: 'dividends', entityKey: symbol, naturalKey: exDateKey(exDate), fields };
}

/**
 * Reads the dividend's currency, which only newer charts have and which may differ from the
 * currency of the prices.
 */
function readCurrency(row: JsonObject): string {
  const word = readText(row, 'currency') ?? 'USD';
  if (/^[A-Z]{3}$/.test(word)) return word;
  throw new RowError('bad-currency', `currency is ${JSON.stringify(word)}`.slice(0, 100));
}

/**
 * Returns the declared amount, rounded to the decimals that remain exact after the division:
 * 0.094643 after a 28:1 split gives 2.65 and not 2.650004.
 */
function undoSplits(
  amount: Decimal,
  splits: readonly { numerator: number; denominator: number }[],
): Decimal {
  const factor = splits.reduce((total, { numerator, denominator }) => {
    return { numerator: total.numerator * numerator, denominator: total.denominator * denominator };
  }, ONE);
  const lostDecimals = Math.max(0, Math.ceil(Math.log10(factor.numerator / factor.denominator)));
  const undivided = multiplyDecimals(amount, String(factor.numerator));
  return (
    divideDecimals(undivided, String(factor.denominator), Math.max(0, PLACES - lostDecimals)) ??
    amount
  );
}

const ONE = { numerator: 1, denominator: 1 };
