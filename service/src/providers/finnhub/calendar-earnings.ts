import { daily, onTradingDays } from '../../domain/market/due-times.ts';
import { addDays } from '../../domain/local-date.ts';
import { entityKeyOrNull } from '../kit/fields.ts';
import { isJsonObject, isList } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { withCompleteRange } from '../kit/complete-range.ts';
import { observationDate } from '../kit/zero-sentinels.ts';
import {
  type Feed,
  type FeedRequest,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readBody } from './response-body.ts';
import { readCalendarRow } from './calendar-row.ts';
import { apiRequests, HOST } from './request.ts';

/** The free plan covers about a month ahead. */
const DAYS_AHEAD = 31;
const DAYS_BACK = 5;
/** For dates further back than this, the free plan returns no rows and no error. */
const DAYS_VISIBLE = 28;
/** Maximum number of rows per response; the source truncates longer lists without notice. */
const ROWS_MAX = 1500;

/** `calendar/earnings?from=&to=`: upcoming reports and results by date. */
export const calendarEarnings: Feed = {
  name: 'calendar-earnings',
  datasets: ['earnings'],
  ranks: { earnings: ['vendor', 10] },
  schedule: [
    { name: 'sweep', times: daily('02:20'), scope: 'all' },
    {
      name: 'near',
      times: onTradingDays('06:10', '12:10'),
      scope: 'all',
      priority: 'prompt',
      days: [0, 3],
    },
    {
      name: 'results',
      times: daily('05:10', '18:10', '20:50'),
      scope: 'all',
      priority: 'prompt',
      days: [-5, 0],
    },
  ],
  claims: (response) =>
    response.host === HOST && /^\/api\/v1\/calendar\/earnings(\?|$)/.test(response.path),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const today = observationDate(response);
  const result = readRows({
    dataset: 'earnings',
    rows: rowsOf(readBody(response)),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: (row) => readCalendarRow(row, today),
  });
  const withRange = withCompleteRange(result, response, { dataset: 'earnings', rowsMax: ROWS_MAX });
  const from = withRange.completeRange?.from ?? null;
  const isVisible = today === null || from === null || from >= addDays(today, -DAYS_VISIBLE);
  return isVisible ? withRange : result;
}

/**
 * Plans a request per day, since a busy week has more rows than a response can contain. Today and
 * the preceding days are requested first because their results are news.
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

/**
 * Returns the list in `earningsCalendar`, or a bare list, which some recorders store. Returns no
 * rows for `{}`.
 */
function rowsOf(body: unknown): unknown[] {
  if (isList(body)) return body;
  const isEmpty = isJsonObject(body) && Object.keys(body).length === 0;
  const rows = isJsonObject(body) && 'earningsCalendar' in body ? body['earningsCalendar'] : body;
  if (isEmpty || rows === null) return [];
  if (isList(rows)) return rows;
  throw new SourceResponseError('error-answer', 'unexpected-shape', 'no list of reports');
}
