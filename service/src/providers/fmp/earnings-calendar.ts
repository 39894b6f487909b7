import { addDays } from '../../domain/local-date.ts';
import type { Feed, FeedRequest, PlanContext } from '../provider.ts';
import { parseEarnings } from './earnings-row.ts';
import { apiRequests, HOST } from './request.ts';

const DAYS_AHEAD = 31;
const DAYS_BACK = 5;

/** `earnings-calendar?from=&to=`: reports of some days, world-wide. */
export const earningsCalendar: Feed = {
  name: 'earnings-calendar',
  datasets: ['earnings'],
  claims: (answer) =>
    answer.host === HOST && /^\/stable\/earnings-calendar(\?|$)/.test(answer.path),
  parse: parseEarnings,
  plan,
};

/**
 * A day a request: an answer holds 4,000 rows at most, and a busy week of the world has more. Today
 * and the days before first, since their results are news.
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
