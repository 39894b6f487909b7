import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import type { SecurityObservation } from '../../datasets/securities/observation.ts';
import type { Feed, ParsedRow } from '../provider.ts';
import { claimsKind, date, decimal, integer, parseRows, text } from './read.ts';
import type { Loose } from './read.ts';

/** Securities and profiles, as `CompanyWireRow` of `wire.ts`. */
export const companies: Feed = {
  name: 'companies',
  datasets: ['securities', 'profiles'],
  claims: (answer) => claimsKind(answer, 'companies'),
  parse: (answer) => parseRows(answer, 'companies', 'profiles', readRow),
};

function readRow(row: Loose): ParsedRow[] {
  const security = readSecurity(row);
  const { symbol, cik } = security;
  const profile: ProfileObservation = {
    symbol,
    cik,
    companyName: security.name,
    exchange: security.exchange,
    sector: text(row, 'sector'),
    industry: text(row, 'industry'),
    sicCode: text(row, 'sicCode'),
    country: text(row, 'country'),
    countryCode: text(row, 'countryCode'),
    entityType: 'operating',
    fiscalYearEnd: text(row, 'fiscalYearEnd'),
    tickers: [symbol],
    ipoYear: integer(row, 'ipoYear'),
    sharesOutstanding: decimal(row, 'shares'),
    sharesAsOf: date(row, 'sharesAsOf'),
  };
  return [
    { dataset: 'securities', subject: symbol, naturalKey: symbol, fields: security },
    { dataset: 'profiles', subject: symbol, naturalKey: symbol, fields: profile },
  ];
}

/** The part of a row that says which security it is; shared with the prices. */
export function readSecurity(row: Loose): SecurityObservation {
  return {
    symbol: text(row, 'symbol'),
    cik: text(row, 'cik'),
    name: text(row, 'name'),
    exchange: text(row, 'exchange'),
  };
}
