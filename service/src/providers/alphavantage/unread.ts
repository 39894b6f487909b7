import { type SourceResponse, SourceResponseError, type Feed } from '../provider.ts';
import { isErrorResponse, rejectErrorResponse } from './response-body.ts';
import { functionOf, isApiResponse } from './request.ts';

/** Functions of which nothing is wanted, and why. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^TIME_SERIES_INTRADAY/, 'not-daily-bars'],
  [/^TIME_SERIES_(?:WEEKLY|MONTHLY)/, 'not-daily-bars'],
  // One row has prices as traded beside a close with dividends taken out.
  [/^TIME_SERIES_DAILY_ADJUSTED$/, 'bars-on-mixed-bases'],
  [
    /^(?:CPI|INFLATION|REAL_GDP|UNEMPLOYMENT|NONFARM_PAYROLL|RETAIL_SALES)/,
    'series-without-releases',
  ],
];

/** Everything else of the source: its refusals, and what is left aside on purpose. */
export function unreadFeed(feeds: readonly Feed[]): Feed {
  return {
    name: 'unread',
    datasets: [],
    claims: (response) => isApiResponse(response) && !feeds.some((feed) => feed.claims(response)),
    parse(response: SourceResponse) {
      if (isErrorResponse(response)) rejectErrorResponse(response);
      const name = functionOf(response);
      const known = REASONS.find(([pattern]) => pattern.test(name));
      throw new SourceResponseError(
        'unsupported',
        known?.[1] ?? 'function-not-read',
        name.slice(0, 60),
      );
    },
  };
}
