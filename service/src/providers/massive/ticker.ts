import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { yearOf } from '../../domain/local-date.ts';
import { positiveOrNull, readText, readWith } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readBody } from './response-body.ts';
import { canonicalSymbol, isApiResponse } from './request.ts';

const PATH = /^\/v3\/reference\/tickers\/([^/?]+)(?:\?|$)/;

/** Exchange names by market identifier code. */
const EXCHANGES: ReadonlyMap<string | null, string> = new Map([
  ['XNAS', 'Nasdaq'],
  ['XNYS', 'NYSE'],
  ['XASE', 'NYSE American'],
  ['ARCX', 'NYSE Arca'],
  ['BATS', 'Cboe BZX'],
]);

/** `v3/reference/tickers/{symbol}`: the profile of one company. */
export const ticker: Feed = {
  name: 'ticker',
  datasets: ['profiles'],
  claims: (response) => isApiResponse(response, PATH),
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const { results } = readBody(response);
  if (!isJsonObject(results)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no company in results');
  }
  const requestedSymbol = canonicalSymbol(PATH.exec(response.path)?.[1]);
  return readRows({
    dataset: 'profiles',
    rows: [results],
    entityKeyOf: () => requestedSymbol,
    read: (row) => readRow(row, requestedSymbol),
  });
}

/**
 * Reads a profile. Both share counts are ignored: one covers a single class, and the other is a
 * quarterly average.
 */
function readRow(row: JsonObject, requestedSymbol: string | null): ParsedRow<'profiles'> {
  const symbol = canonicalSymbol(row['ticker']);
  if (symbol === null || symbol !== requestedSymbol) {
    throw new RowError('symbol-mismatch', 'the response is about another company');
  }
  const fields: ProfileObservation = { symbol };
  if ('name' in row) fields.companyName = readText(row, 'name');
  if ('cik' in row) fields.cik = readCode(row, 'cik', /^\d{10}$/);
  if ('sic_code' in row) fields.sicCode = readCode(row, 'sic_code', /^\d{3,4}$/);
  if ('sic_description' in row) fields.sicDescription = readText(row, 'sic_description');
  const exchange = EXCHANGES.get(readText(row, 'primary_exchange'));
  if (exchange !== undefined) fields.exchange = exchange;
  const listingDate = readWith(row, 'list_date', parseIsoDate);
  if (listingDate !== null) fields.ipoYear = yearOf(listingDate);
  const value = positiveOrNull(parseJsonNumber(row['market_cap'] ?? null), 'market_cap');
  const marketCap = row['currency_name'] === 'usd' ? value : null;
  return {
    dataset: 'profiles',
    entityKey: symbol,
    naturalKey: 'profile',
    fields,
    ...(marketCap !== null && { quote: { symbol, marketCap } }),
  };
}

function readCode(row: JsonObject, key: string, shape: RegExp): string | null {
  const text = readText(row, key);
  if (text === null || shape.test(text)) return text;
  throw new RowError('bad-code', `${key} is ${JSON.stringify(text)}`.slice(0, 100));
}
