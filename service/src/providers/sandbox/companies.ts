import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import type { SecurityObservation } from '../../datasets/securities/observation.ts';
import type { JsonObject } from '../kit/json.ts';
import { joinParsed } from '../kit/read-rows.ts';
import type { Feed, ParsedRow } from '../provider.ts';
import { amount, claimsKind, date, integer, parseRows, symbol, text } from './read-row.ts';

/** Securities and profiles as `CompanyWireRow`. */
export const companies: Feed = {
  name: 'companies',
  datasets: ['securities', 'profiles'],
  claims: (response) => claimsKind(response, 'companies'),
  parse: (response) =>
    joinParsed<ParsedRow>([
      parseRows(response, 'companies', 'securities', readSecurity),
      parseRows(response, 'companies', 'profiles', readProfile),
    ]),
};

/** Reads the security in a company row. */
export function readSecurity(row: JsonObject): ParsedRow<'securities'> {
  const subject = symbol(row);
  const fields: SecurityObservation = {
    symbol: subject,
    cik: text(row, 'cik'),
    name: text(row, 'name'),
    exchange: text(row, 'exchange'),
  };
  return { dataset: 'securities', entityKey: subject, naturalKey: subject, fields };
}

function readProfile(row: JsonObject): ParsedRow<'profiles'> {
  const subject = symbol(row);
  const fields: ProfileObservation = {
    symbol: subject,
    cik: text(row, 'cik'),
    companyName: text(row, 'name'),
    exchange: text(row, 'exchange'),
    sector: text(row, 'sector'),
    industry: text(row, 'industry'),
    sicCode: text(row, 'sicCode'),
    country: text(row, 'country'),
    countryCode: text(row, 'countryCode'),
    entityType: 'operating',
    fiscalYearEnd: text(row, 'fiscalYearEnd'),
    tickers: [subject],
    ipoYear: integer(row, 'ipoYear', 1900, 2100),
    sharesOutstanding: amount(row, 'shares'),
    sharesAsOf: date(row, 'sharesAsOf'),
  };
  return { dataset: 'profiles', entityKey: subject, naturalKey: subject, fields };
}
