import { IPO_STATUSES, OFFERING_TYPES } from '../../datasets/ipos/observation.ts';
import { IPO_DATE_STATUSES, type Ipo } from '../../datasets/ipos/row.ts';
import { decimalToNumber, wholeToNumber } from '../../domain/decimal.ts';
import { formatInstant } from '../../platform/instant.ts';
import {
  type BodyOf,
  choice,
  date,
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  symbol,
  text,
} from '../schema/fields.ts';
import { maybe } from './earnings-row.ts';
import { provenanceField } from './provenance.ts';

/**
 * Maps provenance names to the response fields they cover, for names that differ from their fields.
 */
export const IPO_SOURCES = {
  exchange: ['exchange', 'mic'],
  expectedDate: ['date'],
  pricedDate: ['pricedDate', 'date'],
};

export const ipoRow = named('IpoRow', {
  id: text('Stable id of the deal, `ipo_…`, from filing to completion.'),
  symbol: nullable(symbol('Proposed ticker symbol.')),
  companyName: text('Issuer.'),
  exchange: nullable(text('Planned listing exchange.')),
  mic: nullable(text('ISO 10383 identifier of the exchange.')),
  date: nullable(date('Expected or actual pricing date.')),
  dateStatus: choice(IPO_DATE_STATUSES, 'Certainty of the date; `unknown` without a date.'),
  status: choice(IPO_STATUSES, 'Stage of the deal.'),
  offeringType: nullable(choice(OFFERING_TYPES, 'Kind of offering, if known.')),
  priceLow: nullable(number('Low end of the proposed price per share.')),
  priceHigh: nullable(number('High end of the proposed price per share.')),
  price: nullable(number('Final price per share; null until priced.')),
  shares: nullable(integer('Shares or units offered.')),
  dealSize: nullable(number('Value of the offering.')),
  currency: text('ISO 4217.'),
  filedDate: nullable(date('Date of the registration filing.')),
  pricedDate: nullable(date('Pricing date; null until priced.')),
  underwriters: list(text('Underwriter.'), 'Leading banks; empty when unknown.'),
  lockupExpiration: nullable(date('First day on which insiders may sell.')),
  cik: nullable(text('Filer number at the SEC, ten digits.')),
  filingUrl: nullable(text('URL of the registration filing.')),
  updatedAt: instant('Time of the last observed change of any field.'),
  provenance: provenanceField,
});

export type IpoRow = BodyOf<typeof ipoRow>;

export function renderIpo(ipo: Ipo): IpoRow {
  return {
    id: ipo.id,
    symbol: ipo.symbol,
    companyName: ipo.companyName,
    exchange: ipo.exchange,
    mic: ipo.mic,
    date: ipo.date,
    dateStatus: ipo.dateStatus,
    status: ipo.status,
    offeringType: ipo.offeringType,
    priceLow: maybe(ipo.priceLow, decimalToNumber),
    priceHigh: maybe(ipo.priceHigh, decimalToNumber),
    price: maybe(ipo.price, decimalToNumber),
    shares: maybe(ipo.shares, wholeToNumber),
    dealSize: maybe(ipo.dealSize, decimalToNumber),
    currency: ipo.currency,
    filedDate: ipo.filedDate,
    pricedDate: ipo.pricedDate,
    underwriters: ipo.underwriters,
    lockupExpiration: ipo.lockupExpiration,
    cik: ipo.cik,
    filingUrl: ipo.filingUrl,
    updatedAt: formatInstant(ipo.updatedAt),
  };
}
