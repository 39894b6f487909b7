import { daily } from '../../domain/market/due-times.ts';
import type {
  DividendFrequency,
  DividendObservation,
  DividendType,
} from '../../datasets/dividends/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { addDays, weekdayOf } from '../../domain/local-date.ts';
import { readRows, withTruncatedRow } from '../kit/read-rows.ts';
import { exDateKey, withNumberedDividends } from '../kit/dividend-keys.ts';
import { positiveOrNull, readText, readWith, required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type FeedRequest,
  type ParsedRow,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readBody } from './response-body.ts';
import { apiRequests, canonicalSymbol, isApiResponse, requireTicker } from './request.ts';

const DAYS_AHEAD = 45;

const TYPES: ReadonlyMap<unknown, DividendType> = new Map([
  ['CD', 'cash'],
  ['SC', 'special'],
  // Long-term and short-term capital gains of funds, paid once a year in addition to the regular
  // dividends.
  ['LT', 'special'],
  ['ST', 'special'],
]);

/** Frequencies by payments per year. */
const FREQUENCIES: ReadonlyMap<unknown, DividendFrequency | null> = new Map([
  [0, 'none'],
  [1, 'annual'],
  [2, 'semi-annual'],
  [4, 'quarterly'],
  [12, 'monthly'],
  [52, 'weekly'],
  [3, 'irregular'],
  [6, 'irregular'],
  [24, 'irregular'],
  [26, 'irregular'],
  [104, 'irregular'],
  [365, 'irregular'],
  [undefined, null],
  [null, null],
]);

/** `v3/reference/dividends`: declared dividends, by ex-date. */
export const dividends: Feed = {
  name: 'dividends',
  datasets: ['dividends'],
  schedule: [{ name: 'sweep', times: daily('04:45'), scope: 'all' }],
  claims: (response) => isApiResponse(response, /^\/v3\/reference\/dividends(\?|$)/),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const { results, next_url: nextPage } = readBody(response);
  if (!Array.isArray(results)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no list of dividends');
  }
  const parsed = readRows({
    dataset: 'dividends',
    rows: results,
    entityKeyOf: (row) => (isJsonObject(row) ? canonicalSymbol(row['ticker']) : null),
    read: readRow,
  });
  const result = withNumberedDividends(parsed);
  if (typeof nextPage !== 'string') return result;
  const detail = `the day has more than these ${results.length} rows, on a page that is not requested`;
  return withTruncatedRow(result, { dataset: 'dividends', detail });
}

/**
 * Plans a request per day: a response contains up to 1,000 rows, and days with more are marked as
 * truncated.
 */
function plan(context: PlanContext): FeedRequest[] {
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, offset) =>
    addDays(context.today, offset),
  );
  return apiRequests(
    context,
    days
      .filter((day) => weekdayOf(day) !== 0 && weekdayOf(day) !== 6)
      .map((day) => `v3/reference/dividends?ex_dividend_date=${day}&limit=1000`),
  );
}

function readRow(row: JsonObject): ParsedRow<'dividends'> {
  const symbol = requireTicker(row['ticker']);
  const exDate = required(readWith(row, 'ex_dividend_date', parseIsoDate), 'ex_dividend_date');
  const type = TYPES.get(row['dividend_type']);
  const frequency = FREQUENCIES.get(row['frequency']);
  if (type === undefined) throw new RowError('unknown-word', 'dividend_type is unknown');
  if (frequency === undefined) throw new RowError('unknown-word', 'frequency is unknown');
  const fields: DividendObservation = {
    symbol,
    exDate,
    recordDate: readWith(row, 'record_date', parseIsoDate),
    paymentDate: readWith(row, 'pay_date', parseIsoDate),
    declarationDate: readWith(row, 'declaration_date', parseIsoDate),
    amount: positiveOrNull(parseJsonNumber(row['cash_amount'] ?? null), 'cash_amount'),
    type,
    frequency,
  };
  if ('currency' in row) fields.currency = readCurrency(row);
  return { dataset: 'dividends', entityKey: symbol, naturalKey: exDateKey(exDate), fields };
}

function readCurrency(row: JsonObject): string | null {
  const word = readText(row, 'currency');
  if (word === null || /^[A-Z]{3}$/.test(word)) return word;
  throw new RowError('bad-currency', `currency is ${JSON.stringify(word)}`.slice(0, 100));
}
