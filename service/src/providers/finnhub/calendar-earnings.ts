import { addDays } from '../../domain/local-date.ts';
import { entityKeyOrNull } from '../kit/fields.ts';
import { isJsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import { withCompleteRange } from '../kit/complete-range.ts';
import { observationDate } from '../kit/zero-sentinels.ts';
import {
  type SourceResponse,
  SourceResponseError,
  type Feed,
  type FeedRequest,
  type ParseResult,
  type PlanContext,
} from '../provider.ts';
import { readBody } from './response-body.ts';
import { readCalendarRow } from './calendar-row.ts';
import { apiRequests, HOST } from './request.ts';

/** The free plan sees about a month. */
const DAYS_AHEAD = 31;
const DAYS_BACK = 5;
/** Of the days before these the free plan says nothing, and not that it does not. */
const DAYS_VISIBLE = 28;
/** An answer holds so many rows at most, and says nothing of those it leaves out. */
const ROWS_MAX = 1500;

/** `calendar/earnings?from=&to=`: coming reports and results of some days. */
export const calendarEarnings: Feed = {
  name: 'calendar-earnings',
  datasets: ['earnings'],
  claims: (response) =>
    response.host === HOST && /^\/api\/v1\/calendar\/earnings(\?|$)/.test(response.path),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const today = observationDate(response);
  const parsed = readRows({
    dataset: 'earnings',
    rows: rowsOf(readBody(response)),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: (row) => readCalendarRow(row, today),
  });
  const result = rejectConflicts(parsed);
  const withRange = withCompleteRange(result, response, { dataset: 'earnings', rowsMax: ROWS_MAX });
  const from = withRange.completeRange?.from ?? null;
  const isVisible = today === null || from === null || from >= addDays(today, -DAYS_VISIBLE);
  return isVisible ? withRange : result;
}

/**
 * A day a request, since a busy week has more rows than an answer holds. Today and the days before
 * first, since their results are news.
 */
function plan(context: PlanContext): FeedRequest[] {
  const days = Array.from({ length: DAYS_BACK + 1 + DAYS_AHEAD }, (_, index) =>
    addDays(context.today, index <= DAYS_BACK ? -index : index - DAYS_BACK),
  );
  return apiRequests(
    context,
    days.map((day) => `calendar/earnings?from=${day}&to=${day}`),
  );
}

/** The list below `earningsCalendar`, or bare as some recorders keep it; `{}` is an empty one. */
function rowsOf(body: unknown): unknown[] {
  if (isList(body)) return body;
  const isEmpty = isJsonObject(body) && Object.keys(body).length === 0;
  const rows = isJsonObject(body) && 'earningsCalendar' in body ? body['earningsCalendar'] : body;
  if (isEmpty || rows === null) return [];
  if (isList(rows)) return rows;
  throw new SourceResponseError('error-answer', 'unexpected-shape', 'no list of reports');
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
