import {
  type SourceResponse,
  SourceResponseError,
  type Feed,
  type ParseResult,
} from '../provider.ts';
import { isErrorResponse, readList } from './response-body.ts';
import { HOST } from './request.ts';

/**
 * Refusals at addresses no other feed reads: they hold no rows, yet are answers of this source and
 * must be accounted for. `feeds` go first: each throws the refusals at its own address itself.
 */
export function errorAnswerFeed(feeds: readonly Feed[]): Feed {
  return {
    name: 'error-answer',
    datasets: [],
    claims: (response) =>
      response.host === HOST &&
      isErrorResponse(response) &&
      !feeds.some((feed) => feed.claims(response)),
    parse,
  };
}

function parse(response: SourceResponse): ParseResult {
  readList(response);
  throw new SourceResponseError(
    'damaged',
    'no-error-found',
    `${response.host}: not an error answer`,
  );
}
