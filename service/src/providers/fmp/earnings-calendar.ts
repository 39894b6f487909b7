import { addDays } from '../../domain/local-date.ts';
import type { SourceResponse, Feed, FeedRequest, ParseResult, PlanContext } from '../provider.ts';
import { withCompleteRange } from '../kit/complete-range.ts';
import { parseEarnings } from './earnings-row.ts';
import { apiRequests, HOST, ROWS_MAX } from './request.ts';

const DAYS_AHEAD = 31;
const DAYS_BACK = 5;

/** `earnings-calendar?from=&to=`: reports of some days, world-wide. */
export const earningsCalendar: Feed = {
  name: 'earnings-calendar',
  datasets: ['earnings'],
  claims: (response) =>
    response.host === HOST &&
    /^\/(stable\/earnings-calendar|api\/v3\/earning_calendar)(\?|$)/.test(response.path),
  parse,
  plan,
};

/** How many rows an answer of the older API holds at most is not known: none of them is whole. */
function parse(response: SourceResponse): ParseResult {
  const parsed = parseEarnings(response);
  const isPresent = response.path.startsWith('/stable/');
  return isPresent
    ? withCompleteRange(parsed, response, { dataset: 'earnings', rowsMax: ROWS_MAX })
    : parsed;
}

/**
 * A day a request: a busy week of the world has more rows than an answer holds. Today and the days
 * before first, since their results are news.
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
