import {
  DIVIDEND_FREQUENCIES,
  DIVIDEND_STATUSES,
  DIVIDEND_TYPES,
} from '../../datasets/dividends/observation.ts';
import { DIVIDEND_FLAGS, type Dividend } from '../../datasets/dividends/row.ts';
import { decimalToNumber } from '../../domain/decimal.ts';
import { formatInstant } from '../../platform/instant.ts';
import {
  type BodyOf,
  choice,
  date,
  instant,
  list,
  named,
  nullable,
  number,
  percent,
  symbol,
  text,
} from '../schema/fields.ts';
import { maybe } from './earnings-row.ts';
import { provenanceField } from './provenance.ts';

/**
 * Maps provenance names to the response fields they cover, for names that differ from their fields.
 */
export const DIVIDEND_SOURCES = { indicatedAnnualAmount: ['annualizedAmount'] };

export const dividendRow = named('DividendRow', {
  id: text('Stable id of the dividend, `div_…`. It survives corrections of the dates.'),
  symbol: symbol(),
  name: nullable(text('Issuer.')),
  exDate: date('First day on which a buyer does not receive the dividend.'),
  recordDate: nullable(date('Record date.')),
  paymentDate: nullable(date('Payment date.')),
  declarationDate: nullable(date('Declaration date.')),
  amount: nullable(number('Per share as declared, unadjusted.')),
  splitAdjustedAmount: nullable(
    number("Per share on today's share basis; null with `asOf` if the ex-date has passed."),
  ),
  currency: text('ISO 4217.'),
  type: choice(DIVIDEND_TYPES, 'Kind of dividend.'),
  frequency: nullable(
    choice(DIVIDEND_FREQUENCIES, 'Payment frequency; `none` for a one-time dividend.'),
  ),
  annualizedAmount: nullable(number('Annualized amount per share.')),
  yield: nullable(
    percent(
      '`annualizedAmount` relative to the last close; null if the ex-date has passed, and with ' +
        '`asOf`.',
    ),
  ),
  status: choice(DIVIDEND_STATUSES, 'Declared by the company, projected, or cancelled.'),
  flags: list(
    choice(DIVIDEND_FLAGS, 'Reason.'),
    'Reasons for an unusual order of dates: `due-bill`, `foreign`. Usually empty.',
  ),
  updatedAt: instant('Time of the last observed change of any field except `yield`.'),
  provenance: provenanceField,
});

export type DividendRow = BodyOf<typeof dividendRow>;

/** Renders a dividend without the fields that depend on today's price and shares. */
export function renderDividend(dividend: Dividend): DividendRow {
  return {
    id: dividend.id,
    symbol: dividend.symbol,
    name: dividend.name,
    exDate: dividend.exDate,
    recordDate: dividend.recordDate,
    paymentDate: dividend.paymentDate,
    declarationDate: dividend.declarationDate,
    amount: maybe(dividend.amount, decimalToNumber),
    splitAdjustedAmount: null,
    currency: dividend.currency,
    type: dividend.type,
    frequency: dividend.frequency,
    annualizedAmount: maybe(dividend.annualizedAmount, decimalToNumber),
    yield: null,
    status: dividend.status,
    flags: dividend.flags,
    updatedAt: formatInstant(dividend.updatedAt),
  };
}
