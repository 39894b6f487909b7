import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { yearOf } from '../../domain/local-date.ts';
import { positiveOrNull, readCountryCode, readText, readWith } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, QuoteTick, SourceResponse } from '../provider.ts';
import { readList } from './response-body.ts';
import { listedEntityKey, requireListedSymbol } from './listed-symbol.ts';
import { HOST } from './request.ts';

/** Paths in the current API and in the older one, which is closed to newer keys. */
const PATH = /^\/(?:stable\/profile|api\/v3\/profile\/[^/?]+)(\?|$)/;

/** `profile?symbol=`: the profile of one company, or an empty list for an unknown symbol. */
export const profile: Feed = {
  name: 'profile',
  datasets: ['profiles'],
  claims: (response) => response.host === HOST && PATH.test(response.path),
  parse,
};

function parse(response: SourceResponse): ParseResult {
  return readRows({
    dataset: 'profiles',
    rows: readList(response),
    entityKeyOf: listedEntityKey,
    read: readRow,
  });
}

/** Reads a profile. The price is ignored because it changes during the session and has no date. */
function readRow(row: JsonObject): ParsedRow<'profiles'> {
  const symbol = requireListedSymbol(row);
  const fields: ProfileObservation = { symbol };
  if ('cik' in row) fields.cik = readCode(row, 'cik', /^\d{10}$/);
  if ('companyName' in row) fields.companyName = readText(row, 'companyName');
  // In the older API, `exchange` is the full name.
  const exchangeKey = 'exchangeShortName' in row ? 'exchangeShortName' : 'exchange';
  if (exchangeKey in row) fields.exchange = readText(row, exchangeKey);
  if ('sector' in row) fields.sector = readText(row, 'sector');
  if ('industry' in row) fields.industry = readText(row, 'industry');
  if ('country' in row) fields.countryCode = readCountryCode(row, 'country');
  if ('ipoDate' in row) fields.ipoYear = readYear(row, 'ipoDate');
  const quote = readMarketCap(row, symbol);
  return {
    dataset: 'profiles',
    entityKey: symbol,
    naturalKey: 'profile',
    fields,
    ...(quote !== null && { quote }),
  };
}

/** Returns the market value, or null if its `currency` is not the U.S. dollar. */
function readMarketCap(row: JsonObject, symbol: string): QuoteTick | null {
  const key = 'mktCap' in row ? 'mktCap' : 'marketCap';
  const marketCap = positiveOrNull(parseJsonNumber(row[key]), key);
  const isInDollars = readText(row, 'currency') === 'USD';
  return marketCap === null || !isInDollars ? null : { symbol, marketCap };
}

function readCode(row: JsonObject, key: string, shape: RegExp): string | null {
  const text = readText(row, key);
  if (text === null || shape.test(text)) return text;
  throw new RowError(`bad-${key}`, `${key} is ${JSON.stringify(text)}`.slice(0, 100));
}

function readYear(row: JsonObject, key: string): number | null {
  const date = readWith(row, key, parseIsoDate);
  return date === null ? null : yearOf(date);
}
