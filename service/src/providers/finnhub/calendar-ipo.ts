import type { IpoObservation } from '../../datasets/ipos/observation.ts';
import { foldCompanyName } from '../../domain/company-name.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { addDays } from '../../domain/local-date.ts';
import { positiveOrNull, readText, required } from '../kit/fields.ts';
import { ipoPrices, readIpoStage, readPriceRange, readProposedSymbol } from '../kit/ipo-fields.ts';
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
import { readBody } from './response-body.ts';
import { apiRequests, HOST } from './request.ts';

const DAYS_BACK = 30;
const DAYS_AHEAD = 45;

/**
 * `calendar/ipo?from=&to=`: deals by the date of their latest stage. The source assigns them no
 * key.
 */
export const calendarIpo: Feed = {
  name: 'calendar-ipo',
  datasets: ['ipos'],
  claims: (response) =>
    response.host === HOST && /^\/api\/v1\/calendar\/ipo(\?|$)/.test(response.path),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const rows = rowsOf(readBody(response));
  return readRows({ dataset: 'ipos', rows, entityKeyOf, read: readRow });
}

function plan(context: PlanContext): FeedRequest[] {
  const { today } = context;
  const span = `from=${addDays(today, -DAYS_BACK)}&to=${addDays(today, DAYS_AHEAD)}`;
  return apiRequests(context, [`calendar/ipo?${span}`]);
}

function readRow(row: JsonObject): ParsedRow<'ipos'> {
  const companyName = required(readText(row, 'name'), 'name');
  const subject = required(foldCompanyName(companyName), 'name');
  const step = readIpoStage(row, 'status');
  const fields: IpoObservation = {
    dealKey: null,
    companyName,
    ...step,
    symbol: readProposedSymbol(row, 'symbol'),
    exchange: readText(row, 'exchange'),
    shares: readAmount(row, 'numberOfShares'),
    dealSize: readAmount(row, 'totalSharesValue'),
    ...ipoPrices(step.stage, readPriceRange(row, 'price')),
  };
  return { dataset: 'ipos', entityKey: subject, naturalKey: step.stage, fields };
}

function readAmount(row: JsonObject, key: string): string | null {
  return positiveOrNull(parseJsonNumber(row[key] ?? null), key);
}

function rowsOf(body: unknown): unknown[] {
  if (!isJsonObject(body)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no list of offerings');
  }
  const rows: unknown = body['ipoCalendar'] ?? [];
  if (Array.isArray(rows)) return rows;
  throw new SourceResponseError('error-answer', 'unexpected-shape', 'no list of offerings');
}

function entityKeyOf(row: unknown): string | null {
  const name = isJsonObject(row) ? row['name'] : null;
  return typeof name === 'string' ? foldCompanyName(name) : null;
}
