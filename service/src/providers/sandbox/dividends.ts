import {
  DIVIDEND_FREQUENCIES,
  type DividendFrequency,
  type DividendObservation,
} from '../../datasets/dividends/observation.ts';
import type { Instant } from '../../platform/instant.ts';
import { exDateKey } from '../kit/dividend-keys.ts';
import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow } from '../provider.ts';
import type { SandboxDividend } from './market/dividends.ts';
import { amount, claimsKind, date, group, parseRows, symbol, text } from './read-row.ts';

/** Upcoming dividends as `DividendWireRow`. */
export const dividends: Feed = {
  name: 'dividends',
  datasets: ['dividends'],
  claims: (response) => claimsKind(response, 'dividends'),
  parse: (response) => parseRows(response, 'dividends', 'dividends', readRow),
};

export interface DividendWireRow {
  symbol: string;
  name: string;
  exDate: string;
  amount: string;
  frequency: string;
  /** Null while the dividend is only projected. */
  declared: { on: string; recordDate: string; paymentDate: string } | null;
}

export function dividendRow(dividend: SandboxDividend, at: Instant): DividendWireRow {
  const { company, exDate, mills, frequency } = dividend;
  const isDeclared = dividend.declaredAt <= at;
  return {
    symbol: company.symbol,
    name: company.name,
    exDate,
    amount: (mills / 1000).toFixed(3),
    frequency,
    declared: isDeclared
      ? {
          on: dividend.declarationDate,
          recordDate: dividend.recordDate,
          paymentDate: dividend.paymentDate,
        }
      : null,
  };
}

function readRow(row: JsonObject): ParsedRow<'dividends'> {
  const subject = symbol(row);
  const exDate = date(row, 'exDate');
  const declared = group(row, 'declared');
  const fields: DividendObservation = {
    symbol: subject,
    name: text(row, 'name'),
    exDate,
    recordDate: declared && date(declared, 'recordDate'),
    paymentDate: declared && date(declared, 'paymentDate'),
    declarationDate: declared && date(declared, 'on'),
    amount: amount(row, 'amount'),
    currency: 'USD',
    type: 'cash',
    frequency: frequencyOf(row),
    status: declared === null ? 'projected' : 'declared',
  };
  return { dataset: 'dividends', entityKey: subject, naturalKey: exDateKey(exDate), fields };
}

function frequencyOf(row: JsonObject): DividendFrequency {
  const word = text(row, 'frequency');
  const frequency = DIVIDEND_FREQUENCIES.find((candidate) => candidate === word);
  if (frequency === undefined) throw new RowError('unknown-word', `frequency is ${word}`);
  return frequency;
}

/**
 * Returns typical source errors, made from valid rows: an invalid date, and a repeated row with a
 * misplaced decimal point. Customers never see them; they show a sandbox operator how such rows are
 * quarantined. Returns an empty list without a valid row.
 */
export function faultyRowsOf(rows: readonly DividendWireRow[]): DividendWireRow[] {
  const [first, second = first] = rows;
  if (first === undefined || second === undefined) return [];
  const misplacedPoint = (Number(first.amount) * 10).toFixed(3);
  return [{ ...second, exDate: 'to be announced' }, first, { ...first, amount: misplacedPoint }];
}
