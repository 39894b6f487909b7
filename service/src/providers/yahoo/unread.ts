import { type SourceResponse, SourceResponseError, type Feed } from '../provider.ts';
import { requireJson } from '../kit/json.ts';
import { readResults } from './response-body.ts';
import { HOSTS } from './request.ts';

/** Answers of the source of which nothing is wanted, and why. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/finance\/screener\//, 'movers-are-computed'],
  [/^\/v1\/finance\/trending\//, 'names-without-facts'],
  [/^\/v1\/finance\/search/, 'names-without-facts'],
  [/^\/ws\/fundamentals-timeseries\//, 'statements-come-from-filings'],
];

/** Everything else of the source: its refusals, and what is left aside on purpose. */
export function unreadFeed(feeds: readonly Feed[]): Feed {
  return {
    name: 'unread',
    datasets: [],
    claims: (response) =>
      HOSTS.includes(response.host) && !feeds.some((feed) => feed.claims(response)),
    parse(response: SourceResponse) {
      if (response.status !== 200) {
        readResults(response, 'finance');
        requireJson(response);
      }
      const known = REASONS.find(([path]) => path.test(response.path));
      throw new SourceResponseError('unsupported', known?.[1] ?? 'path-not-read', response.host);
    },
  };
}
