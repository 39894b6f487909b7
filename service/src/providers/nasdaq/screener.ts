import { onTradingDays } from '../../domain/market/due-times.ts';
import type { BarObservation } from '../../datasets/bars/observation.ts';
import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { compareDecimals, type Decimal, subtractDecimals } from '../../domain/decimal.ts';
import { parseCount, parseDollars, parsePlain } from '../../domain/dirty-number.ts';
import {
  entityKeyOrNull,
  positiveOrNull,
  readText,
  readWith,
  requireSymbol,
} from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readBars } from '../kit/read-bars.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type FeedRequest,
  type ParsedRow,
  type ParseResult,
  type QuoteTick,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { openEnvelope, rowsOf } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

/** Exchange names by parameter value. */
const EXCHANGES: ReadonlyMap<string, string> = new Map([
  ['nasdaq', 'Nasdaq'],
  ['nyse', 'NYSE'],
  ['amex', 'NYSE American'],
]);

/**
 * `screener/stocks`: every security on one exchange, including preferred shares, warrants, units
 * and rights. After the close, a row has the day's close and volume but no date: the price is
 * stored without a date, and the bar is dated by its observation. An empty list, or a list
 * elsewhere in the response, throws `no-rows`, since every exchange has securities.
 */
export const screener: Feed = {
  name: 'screener',
  datasets: ['profiles', 'bars'],
  ranks: { bars: 'provisional' },
  schedule: [
    {
      name: 'close',
      times: onTradingDays('close+260', 'close+330', 'close+420'),
      scope: 'all',
      priority: 'prompt',
    },
  ],
  claims: (response) =>
    response.host === HOST &&
    /^\/api\/screener\/stocks(\?|$)/.test(response.path) &&
    !response.contentType.startsWith('text/csv'),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const content = openEnvelope(response);
  // The parameter is not case-sensitive.
  const requestedExchange = (
    new URL(response.url).searchParams.get('exchange') ?? ''
  ).toLowerCase();
  const exchange = EXCHANGES.get(requestedExchange) ?? null;
  const rows = Array.isArray(content) ? content : rowsOf(content);
  if (rows.length === 0)
    throw new SourceResponseError('error-answer', 'no-rows', 'the list is empty');
  const entityKeyOf = (row: unknown): string | null => entityKeyOrNull(row, 'symbol');
  const read = (row: JsonObject): ParsedRow<'profiles'> => readRow(row, exchange);
  const profiles = rejectConflicts(readRows({ dataset: 'profiles', rows, entityKeyOf, read }));
  const quotes = new Map(profiles.rows.map(({ entityKey: subject, quote }) => [subject, quote]));
  const { bars, bad } = readBars({
    rows,
    list: exchange === null ? 'all' : requestedExchange,
    isAdjusted: false,
    entityKeyOf,
    read: (row) => readBar(row, quotes),
  });
  return { rows: profiles.rows, bad: [...profiles.bad, ...bad], bars };
}

function plan(): FeedRequest[] {
  return [...EXCHANGES.keys()].map((exchange) =>
    apiRequest(
      `screener/stocks?tableonly=true&limit=25&offset=0&exchange=${exchange}&download=true`,
    ),
  );
}

function readRow(row: JsonObject, exchange: string | null): ParsedRow<'profiles'> {
  const symbol = requireSymbol(row, 'symbol');
  const fields: ProfileObservation = { symbol };
  if (exchange !== null) fields.exchange = exchange;
  if ('name' in row) fields.companyName = readText(row, 'name');
  if ('sector' in row) fields.sector = readText(row, 'sector');
  if ('industry' in row) fields.industry = readText(row, 'industry');
  if ('country' in row) fields.country = readText(row, 'country');
  if ('ipoyear' in row) fields.ipoYear = readYear(row, 'ipoyear');
  const quote: QuoteTick = {
    symbol,
    price: positiveOrNull(readWith(row, 'lastsale', parseDollars), 'lastsale'),
    marketCap: positiveOrNull(readWith(row, 'marketCap', parsePlain), 'marketCap'),
  };
  return { dataset: 'profiles', entityKey: symbol, naturalKey: 'profile', fields, quote };
}

/** Returns a bar, or null for a row without trades or without a valid profile or price. */
function readBar(
  row: JsonObject,
  quotes: ReadonlyMap<string, QuoteTick | undefined>,
): BarObservation | null {
  const symbol = entityKeyOrNull(row, 'symbol');
  const { price: close = null, marketCap = null } = quotes.get(symbol ?? '') ?? {};
  if (symbol === null || close === null) return null;
  const volume = readWith(row, 'volume', parseCount);
  if (volume === 0 || volume === null) return null;
  const previousClose = previousCloseOf(close, readWith(row, 'netchange', parsePlain));
  const unknownPrices = { open: null, high: null, low: null, basisDate: null };
  return { symbol, date: null, ...unknownPrices, close, previousClose, volume, marketCap };
}

/** Returns the previous close, in that day's shares, or null if unknown. */
function previousCloseOf(close: Decimal, change: Decimal | null): Decimal | null {
  const previous = change === null ? null : subtractDecimals(close, change);
  return previous !== null && compareDecimals(previous, '0') > 0 ? previous : null;
}

function readYear(row: JsonObject, key: string): number | null {
  const year = readWith(row, key, parseCount);
  if (year === null || (year >= 1792 && year <= 2100)) return year;
  throw new RowError('bad-date', `${key} is ${year}`);
}
