import type { DividendObservation } from '../../datasets/dividends/observation.ts';
import { divideDecimals, multiplyDecimals } from '../../domain/decimal.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { exDateKey, withNumberedDividends } from '../kit/dividend-keys.ts';
import { positiveOrNull, required } from '../kit/fields.ts';
import { isJsonObject } from '../kit/json.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { refuseConflicts } from '../kit/refuse-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import type { Parsed, ParsedRow } from '../provider.ts';
import type { ParsedSplits } from './chart-splits.ts';
import { readFigure, readMoment } from './values.ts';

/** Decimals to which the source rounds an amount that it divided. */
const PLACES = 6;

/**
 * `events.dividends` of a chart by ex-date. Amounts are divided by all splits since; here they are
 * as declared, so the splits of the chart are undone. Where the chart cannot tell all of them
 * (`splits` is null, or one since could not be read), nobody can say what was declared and the row is
 * set aside.
 */
export function readDividends(
  events: unknown,
  symbol: string,
  splits: ParsedSplits | null,
): Parsed {
  const parsed = readRows({
    dataset: 'dividends',
    rows: isJsonObject(events) ? Object.values(events) : [],
    subjectOf: () => symbol,
    read: (row) => readRow(row, symbol, splits),
  });
  return refuseConflicts(withNumberedDividends(parsed));
}

function readRow(row: JsonObject, symbol: string, splits: ParsedSplits | null): ParsedRow {
  const exDate = newYorkDate(required(readMoment(row['date']), 'date'));
  const amount = required(positiveOrNull(readFigure(row['amount']), 'amount'), 'amount');
  if (splits === null || splits.unread.some((day) => day === null || day > exDate)) {
    throw new RowError('unknown-share-basis', 'splits since this dividend are not all told');
  }
  const since = splits.rows.map(({ fields }) => fields).filter(({ date }) => date > exDate);
  const fields: DividendObservation = {
    symbol,
    exDate,
    amount: undo(amount, since),
    currency: 'USD',
  };
  return { dataset: 'dividends', subject: symbol, naturalKey: exDateKey(exDate), fields };
}

/**
 * What was declared, to as many decimals as survive the division: of 0.094643 after 28 for 1 it is
 * 2.65 and not 2.650004.
 */
function undo(
  amount: Decimal,
  splits: readonly { numerator: number; denominator: number }[],
): Decimal {
  const factor = splits.reduce((left, { numerator, denominator }) => {
    return { up: left.up * numerator, down: left.down * denominator };
  }, ONE);
  const lost = Math.max(0, Math.ceil(Math.log10(factor.up / factor.down)));
  const whole = multiplyDecimals(amount, String(factor.up));
  return divideDecimals(whole, String(factor.down), Math.max(0, PLACES - lost)) ?? amount;
}

const ONE = { up: 1, down: 1 };
