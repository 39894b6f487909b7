import { weekly } from '../../domain/market/due-times.ts';
import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { type Decimal, multiplyDecimals, roundTo } from '../../domain/decimal.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { yearOf } from '../../domain/local-date.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import {
  positiveOrNull,
  readCountryCode,
  readText,
  readWith,
  requireSymbol,
} from '../kit/fields.ts';
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
import { apiRequests, HOST } from './request.ts';

/** Maps prefixes of the source's exchange names to the usual names. */
const EXCHANGES: readonly (readonly [RegExp, string])[] = [
  [/^nasdaq\b/i, 'Nasdaq'],
  [/^new york stock exchange\b/i, 'NYSE'],
  [/^nyse (?:mkt|american)\b/i, 'NYSE American'],
  [/^nyse arca\b/i, 'NYSE Arca'],
  [/^(?:bats|cboe)\b/i, 'Cboe BZX'],
  [/^otc\b/i, 'OTC'],
];

/** `stock/profile2?symbol=`: the profile of one company, or `{}` for an unknown symbol. */
export const profile2: Feed = {
  name: 'profile2',
  datasets: ['profiles'],
  schedule: [{ name: 'weekly', times: weekly(6, '05:00'), scope: 'reporters', priority: 'spare' }],
  claims: (response) =>
    response.host === HOST && /^\/api\/v1\/stock\/profile2(\?|$)/.test(response.path),
  parse,
  plan: (context) =>
    apiRequests(
      context,
      context.symbols.map((symbol) => `stock/profile2?symbol=${encodeURIComponent(symbol)}`),
    ),
};

function parse(response: SourceResponse): ParseResult {
  const body = readBody(response);
  if (!isJsonObject(body)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'not an object');
  }
  const requestedSymbol = parseSymbol(new URL(response.url).searchParams.get('symbol') ?? '');
  return readRows({
    dataset: 'profiles',
    rows: Object.keys(body).length === 0 ? [] : [body],
    entityKeyOf: () => requestedSymbol,
    read: (row) => readRow(row, requestedSymbol),
  });
}

/**
 * Reads a profile. The source's industry is ignored: it is coarser than the one in filings, and
 * classifications are never mixed.
 */
function readRow(row: JsonObject, requestedSymbol: string | null): ParsedRow<'profiles'> {
  const symbol = requireSymbol(row, 'ticker');
  if (requestedSymbol !== null && requestedSymbol !== symbol) {
    throw new RowError('symbol-mismatch', `requested ${requestedSymbol}, received ${symbol}`);
  }
  const fields: ProfileObservation = { symbol };
  if ('name' in row) fields.companyName = readText(row, 'name');
  if ('exchange' in row) fields.exchange = readExchange(row);
  if ('country' in row) fields.countryCode = readCountryCode(row, 'country');
  if ('ipo' in row) fields.ipoYear = readYear(row);
  if ('shareOutstanding' in row) fields.sharesOutstanding = readMillions(row, 'shareOutstanding');
  // The market value is in the currency of the company's filings.
  const isInDollars = readText(row, 'currency') === 'USD';
  const marketCap = isInDollars ? readMillions(row, 'marketCapitalization') : null;
  return {
    dataset: 'profiles',
    entityKey: symbol,
    naturalKey: 'profile',
    fields,
    ...(marketCap !== null && { quote: { symbol, marketCap } }),
  };
}

function readMillions(row: JsonObject, key: string): Decimal | null {
  const value = positiveOrNull(parseJsonNumber(row[key]), key);
  return value === null
    ? null
    : positiveOrNull(roundTo(multiplyDecimals(value, '1000000'), 0), key);
}

function readExchange(row: JsonObject): string | null {
  const word = readText(row, 'exchange');
  if (word === null) return null;
  return EXCHANGES.find(([shape]) => shape.test(word))?.[1] ?? word;
}

function readYear(row: JsonObject): number | null {
  const date = readWith(row, 'ipo', parseIsoDate);
  return date === null ? null : yearOf(date);
}
