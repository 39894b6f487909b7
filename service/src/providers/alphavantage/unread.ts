import { type Answer, AnswerError, type Feed } from '../provider.ts';
import { isRefusal, throwRefusal } from './response-body.ts';
import { functionOf, isOfSource } from './request.ts';

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
    claims: (answer) => isOfSource(answer) && !feeds.some((feed) => feed.claims(answer)),
    parse(answer: Answer) {
      if (isRefusal(answer)) throwRefusal(answer);
      const name = functionOf(answer);
      const known = REASONS.find(([pattern]) => pattern.test(name));
      throw new AnswerError('unsupported', known?.[1] ?? 'function-not-read', name.slice(0, 60));
    },
  };
}
