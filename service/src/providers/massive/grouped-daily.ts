import { onTradingDays } from '../../domain/market/due-times.ts';
import { addDays, weekdayOf } from '../../domain/local-date.ts';
import { isJsonObject } from '../kit/json.ts';
import type { Feed, FeedRequest, PlanContext } from '../provider.ts';
import { readBody } from './response-body.ts';
import { readAggregates } from './read-aggregates.ts';
import { apiRequests, canonicalSymbol, isApiResponse, requireTicker } from './request.ts';

const DAYS_BACK = 4;

/** `v2/aggs/grouped/…/{day}`: bars for the whole market on one day. */
export const groupedDaily: Feed = {
  name: 'grouped-daily',
  datasets: ['bars'],
  schedule: [
    // Fetched once the source has the complete day, and a second time for corrections.
    {
      name: 'close',
      times: onTradingDays('close+270', 'close+420'),
      scope: 'all',
      priority: 'prompt',
    },
  ],
  claims: (response) =>
    isApiResponse(
      response,
      /^\/v2\/aggs\/grouped\/locale\/us\/market\/stocks\/\d{4}-\d{2}-\d{2}(\?|$)/,
    ),
  parse: (response) =>
    readAggregates(
      readBody(response),
      (row) => requireTicker(row['T']),
      (row) => (isJsonObject(row) ? canonicalSymbol(row['T']) : null),
    ),
  plan,
};

/** Plans requests for today and the preceding weekdays, since the source corrects recent bars. */
function plan(context: PlanContext): FeedRequest[] {
  const days = Array.from({ length: DAYS_BACK + 1 }, (_, offset) =>
    addDays(context.today, -offset),
  );
  return apiRequests(
    context,
    days
      .filter((day) => weekdayOf(day) !== 0 && weekdayOf(day) !== 6)
      .map((day) => `v2/aggs/grouped/locale/us/market/stocks/${day}?adjusted=true`),
  );
}
