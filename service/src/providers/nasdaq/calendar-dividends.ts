import { daily } from '../../domain/market/due-times.ts';
import type { DividendObservation } from '../../datasets/dividends/observation.ts';
import { parseIsoDate, parseSlashDate } from '../../domain/dirty-date.ts';
import { parseDollars, parseJsonNumber, parsePlain } from '../../domain/dirty-number.ts';
import { addDays, type LocalDate, parseLocalDate, weekdayOf } from '../../domain/local-date.ts';
import { exDateKey, withNumberedDividends } from '../kit/dividend-keys.ts';
import {
  entityKeyOrNull,
  positiveOrNull,
  readText,
  readWith,
  required,
  requireSymbol,
} from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import {
  type Feed,
  type FeedRequest,
  type ParsedRow,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { openEnvelope, rowsOf } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

/** The service lists upcoming dividends up to this many days ahead. */
const DAYS_AHEAD = 90;

/** `calendar/dividends?date=`: dividends by ex-date. */
export const calendarDividends: Feed = {
  name: 'calendar-dividends',
  datasets: ['dividends'],
  schedule: [{ name: 'sweep', times: daily('03:10'), scope: 'all' }],
  claims: (response) =>
    response.host === HOST &&
    /^\/api\/calendar\/dividends(\?|$)/.test(response.path) &&
    !response.contentType.startsWith('text/csv'),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const content = openEnvelope(response);
  const requestedDate = parseLocalDate(new URL(response.url).searchParams.get('date') ?? '');
  const calendar = Array.isArray(content) ? null : calendarOf(content);
  const parsed = readRows({
    dataset: 'dividends',
    rows: Array.isArray(content) ? content : rowsOf(calendarOf(content)),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: (row) => readCalendarDividend(row, requestedDate),
  });
  const result = withNumberedDividends(parsed);
  if (calendar === null || !('rows' in calendar) || requestedDate === null) return result;
  return {
    ...result,
    completeRange: { dataset: 'dividends', from: requestedDate, to: requestedDate },
  };
}

function calendarOf(data: JsonObject): JsonObject {
  const calendar = data['calendar'] ?? {};
  if (isJsonObject(calendar)) return calendar;
  throw new SourceResponseError('error-answer', 'unexpected-shape', 'calendar is not an object');
}

/**
 * Reads a dividend. The calendar has no type or currency; its amounts are in dollars. Tables made
 * from it may have ISO dates and amounts without a dollar sign.
 */
export function readCalendarDividend(
  row: JsonObject,
  requestedDate: LocalDate | null,
): ParsedRow<'dividends'> {
  const symbol = requireSymbol(row, 'symbol');
  const rowDate = readWith(row, 'dividend_Ex_Date', parseDay);
  const exDate = required(rowDate ?? requestedDate, 'dividend_Ex_Date');
  const fields: DividendObservation = {
    symbol,
    name: readText(row, 'companyName'),
    exDate,
    recordDate: readWith(row, 'record_Date', parseDay),
    paymentDate: readWith(row, 'payment_Date', parseDay),
    declarationDate: readWith(row, 'announcement_Date', parseDay),
    amount: readAmount(row, 'dividend_Rate'),
    indicatedAnnualAmount: readAmount(row, 'indicated_Annual_Dividend'),
  };
  return { dataset: 'dividends', entityKey: symbol, naturalKey: exDateKey(exDate), fields };
}

function parseDay(text: string): LocalDate | null {
  return /^\d{4}-/.test(text) ? parseIsoDate(text) : parseSlashDate(text);
}

function parseAmount(text: string): string | null {
  return text.includes('$') ? parseDollars(text) : parsePlain(text);
}

/**
 * Reads an amount: a JSON number, or text as elsewhere in this API. Returns null for zero, which
 * means unknown.
 */
function readAmount(row: JsonObject, key: string): string | null {
  const isNumber = typeof row[key] === 'number';
  return positiveOrNull(
    isNumber ? parseJsonNumber(row[key]) : readWith(row, key, parseAmount),
    key,
  );
}

/** Plans the nearest dates first, since clients request them most. */
function plan({ today }: PlanContext): FeedRequest[] {
  return Array.from({ length: DAYS_AHEAD + 1 }, (_, days) => addDays(today, days))
    .filter((date) => weekdayOf(date) >= 1 && weekdayOf(date) <= 5)
    .map((date) => apiRequest(`calendar/dividends?date=${date}`));
}
