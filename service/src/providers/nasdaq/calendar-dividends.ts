import type { DividendObservation } from '../../datasets/dividends/observation.ts';
import { parseSlashDate } from '../../domain/dirty-date.ts';
import { parseDollars, parseJsonNumber } from '../../domain/dirty-number.ts';
import { addDays, type LocalDate, parseLocalDate, weekdayOf } from '../../domain/local-date.ts';
import { exDateKey, withNumberedDividends } from '../kit/dividend-keys.ts';
import {
  positiveOrNull,
  readText,
  readWith,
  required,
  requireSymbol,
  subjectOrNull,
} from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { refuseConflicts } from '../kit/reject-conflicts.ts';
import {
  type Answer,
  AnswerError,
  type Feed,
  type FeedRequest,
  type Parsed,
  type ParsedRow,
  type PlanContext,
} from '../provider.ts';
import { openEnvelope, rowsOf } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

/** As far as the service lists coming dividends. */
const DAYS_AHEAD = 90;

/** `calendar/dividends?date=`: the dividends that go ex on one day. */
export const calendarDividends: Feed = {
  name: 'calendar-dividends',
  datasets: ['dividends'],
  claims: (answer) => answer.host === HOST && /^\/api\/calendar\/dividends(\?|$)/.test(answer.path),
  parse,
  plan,
};

function parse(answer: Answer): Parsed {
  const content = openEnvelope(answer);
  const asked = parseLocalDate(new URL(answer.url).searchParams.get('date') ?? '');
  const calendar = Array.isArray(content) ? null : calendarOf(content);
  const parsed = readRows({
    dataset: 'dividends',
    rows: Array.isArray(content) ? content : rowsOf(calendarOf(content)),
    subjectOf: (row) => subjectOrNull(row, 'symbol'),
    read: (row) => readRow(row, asked),
  });
  const sound = refuseConflicts(withNumberedDividends(parsed));
  if (calendar === null || !('rows' in calendar) || asked === null) return sound;
  return { ...sound, whole: { dataset: 'dividends', from: asked, to: asked } };
}

function calendarOf(data: JsonObject): JsonObject {
  const calendar = data['calendar'] ?? {};
  if (isJsonObject(calendar)) return calendar;
  throw new AnswerError('error-answer', 'unexpected-shape', 'calendar is no object');
}

/** The calendar calls no type and no currency; its amounts are dollars. */
function readRow(row: JsonObject, asked: LocalDate | null): ParsedRow {
  const symbol = requireSymbol(row, 'symbol');
  const told = readWith(row, 'dividend_Ex_Date', parseSlashDate);
  const exDate = required(told ?? asked, 'dividend_Ex_Date');
  const fields: DividendObservation = {
    symbol,
    name: readText(row, 'companyName'),
    exDate,
    recordDate: readWith(row, 'record_Date', parseSlashDate),
    paymentDate: readWith(row, 'payment_Date', parseSlashDate),
    declarationDate: readWith(row, 'announcement_Date', parseSlashDate),
    amount: readAmount(row, 'dividend_Rate'),
    indicatedAnnualAmount: readAmount(row, 'indicated_Annual_Dividend'),
  };
  return { dataset: 'dividends', subject: symbol, naturalKey: exDateKey(exDate), fields };
}

/** A number of JSON, or text as elsewhere in this API; zero means unknown. */
function readAmount(row: JsonObject, key: string): string | null {
  const isNumber = typeof row[key] === 'number';
  return positiveOrNull(
    isNumber ? parseJsonNumber(row[key]) : readWith(row, key, parseDollars),
    key,
  );
}

/** Near days first, since they are asked about most. */
function plan({ today }: PlanContext): FeedRequest[] {
  return Array.from({ length: DAYS_AHEAD + 1 }, (_, days) => addDays(today, days))
    .filter((date) => weekdayOf(date) >= 1 && weekdayOf(date) <= 5)
    .map((date) => apiRequest(`calendar/dividends?date=${date}`));
}
