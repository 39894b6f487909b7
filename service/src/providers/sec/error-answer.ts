import { type Answer, AnswerError, type Feed, type Parsed } from '../provider.ts';
import { isErrorAnswer, requireUsable } from './response-body.ts';
import { DATA_HOST, WWW_HOST } from './edgar.ts';

/**
 * EDGAR's refusals at addresses no other feed reads, such as a missing quarter of the index: they
 * hold no rows, yet are answers of this source and must be accounted for. Refusals at a feed's own
 * address are thrown by that feed, so `feeds` are the ones that go first.
 */
export function errorAnswerFeed(feeds: readonly Feed[]): Feed {
  return {
    name: 'error-answer',
    datasets: [],
    claims: (answer) =>
      (answer.host === WWW_HOST || answer.host === DATA_HOST) &&
      isErrorAnswer(answer) &&
      !feeds.some((feed) => feed.claims(answer)),
    parse,
  };
}

function parse(answer: Answer): Parsed {
  requireUsable(answer);
  throw new AnswerError('damaged', 'no-error-found', `${answer.url}: not an error answer`);
}
