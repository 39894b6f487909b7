import { type Answer, AnswerError, type Feed, type Parsed } from '../provider.ts';
import { isErrorAnswer, readList } from './response-body.ts';
import { HOST } from './request.ts';

/**
 * Refusals at addresses no other feed reads: they hold no rows, yet are answers of this source and
 * must be accounted for. `feeds` go first: each throws the refusals at its own address itself.
 */
export function errorAnswerFeed(feeds: readonly Feed[]): Feed {
  return {
    name: 'error-answer',
    datasets: [],
    claims: (answer) =>
      answer.host === HOST && isErrorAnswer(answer) && !feeds.some((feed) => feed.claims(answer)),
    parse,
  };
}

function parse(answer: Answer): Parsed {
  readList(answer);
  throw new AnswerError('damaged', 'no-error-found', `${answer.host}: not an error answer`);
}
