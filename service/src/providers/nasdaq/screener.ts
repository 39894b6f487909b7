import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { parseCount, parseDollars, parsePlain } from '../../domain/dirty-number.ts';
import { positiveOrNull, readText, readWith, requireSymbol, subjectOrNull } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { refuseConflicts } from '../kit/refuse-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import type { Answer, Feed, FeedRequest, Parsed, ParsedRow, QuoteTick } from '../provider.ts';
import { openEnvelope, rowsOf } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

/** The exchange asked for, and its name. */
const EXCHANGES: ReadonlyMap<string, string> = new Map([
  ['nasdaq', 'Nasdaq'],
  ['nyse', 'NYSE'],
  ['amex', 'NYSE American'],
]);

/**
 * `screener/stocks`: every security of one exchange, preferred shares, warrants, units and rights
 * included. The rows carry no date, so the price comes without one.
 */
export const screener: Feed = {
  name: 'screener',
  datasets: ['profiles'],
  claims: (answer) =>
    answer.host === HOST &&
    /^\/api\/screener\/stocks(\?|$)/.test(answer.path) &&
    !answer.contentType.startsWith('text/csv'),
  parse,
  plan,
};

function parse(answer: Answer): Parsed {
  const content = openEnvelope(answer);
  const exchange = EXCHANGES.get(new URL(answer.url).searchParams.get('exchange') ?? '') ?? null;
  const parsed = readRows({
    dataset: 'profiles',
    rows: Array.isArray(content) ? content : rowsOf(content),
    subjectOf: (row) => subjectOrNull(row, 'symbol'),
    read: (row) => readRow(row, exchange),
  });
  return refuseConflicts(parsed);
}

function plan(): FeedRequest[] {
  return [...EXCHANGES.keys()].map((exchange) =>
    apiRequest(
      `screener/stocks?tableonly=true&limit=25&offset=0&exchange=${exchange}&download=true`,
    ),
  );
}

function readRow(row: JsonObject, exchange: string | null): ParsedRow {
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
  return { dataset: 'profiles', subject: symbol, naturalKey: 'profile', fields, quote };
}

function readYear(row: JsonObject, key: string): number | null {
  const year = readWith(row, key, parseCount);
  if (year === null || (year >= 1792 && year <= 2100)) return year;
  throw new RowError('bad-date', `${key} is ${year}`);
}
