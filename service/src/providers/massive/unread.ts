import { type Answer, AnswerError, type Feed } from '../provider.ts';
import { isRefusal, readBody } from './response-body.ts';
import { HOSTS } from './request.ts';

/** Answers of the source of which nothing is wanted, and why. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/marketstatus\//, 'market-days-are-computed'],
];

/** Everything else of the source: its refusals, and what is left aside on purpose. */
export function unreadFeed(feeds: readonly Feed[]): Feed {
  return {
    name: 'unread',
    datasets: [],
    claims: (answer) => HOSTS.includes(answer.host) && !feeds.some((feed) => feed.claims(answer)),
    parse(answer: Answer) {
      if (isRefusal(answer)) readBody(answer);
      const known = REASONS.find(([path]) => path.test(answer.path));
      throw new AnswerError('unsupported', known?.[1] ?? 'path-not-read', answer.host);
    },
  };
}
