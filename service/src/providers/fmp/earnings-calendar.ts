import { daily } from '../../domain/market/due-times.ts';
import { addDays } from '../../domain/local-date.ts';
import type { Feed, FeedRequest, ParseResult, PlanContext, SourceResponse } from '../provider.ts';
import { withCompleteRange } from '../kit/complete-range.ts';
import { parseEarnings } from './earnings-row.ts';
import { apiRequests, HOST, ROWS_MAX } from './request.ts';

const DAYS_AHEAD = 31;
const DAYS_BACK = 5;

/** `earnings-calendar?from=&to=`: reports worldwide, by date. */
export const earningsCalendar: Feed = {
  name: 'earnings-calendar',
  datasets: ['earnings'],
  ranks: { 'earnings.date': ['vendor', 30], 'earnings.figures': ['vendor', 30] },
  schedule: [
    { name: 'sweep', times: daily('02:40'), scope: 'all' },
    {
      name: 'results',
      times: daily('05:20', '20:55'),
      scope: 'all',
      priority: 'prompt',
      days: [-5, 0],
    },
  ],
  claims: (response) =>
    response.host === HOST &&
    /^\/(stable\/earnings-calendar|api\/v3\/earning_calendar)(\?|$)/.test(response.path),
  parse,
  plan,
};

/** The row limit of the older API is unknown, so its responses are never treated as complete. */
function parse(response: SourceResponse): ParseResult {
  const parsed = parseEarnings(response);
  const isPresent = response.path.startsWith('/stable/');
  return isPresent
    ? withCompleteRange(parsed, response, { dataset: 'earnings', rowsMax: ROWS_MAX })
    : parsed;
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
    days.map((day) => `earnings-calendar?from=${day}&to=${day}`),
  );
}
