import {
  type SourceResponse,
  SourceResponseError,
  type Feed,
  type ParseResult,
} from '../provider.ts';
import { isErrorResponse, rejectErrorResponse } from './response-body.ts';
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
    claims: (response) =>
      (response.host === WWW_HOST || response.host === DATA_HOST) &&
      isErrorResponse(response) &&
      !feeds.some((feed) => feed.claims(response)),
    parse,
  };
}

function parse(response: SourceResponse): ParseResult {
  rejectErrorResponse(response);
  throw new SourceResponseError(
    'damaged',
    'no-error-found',
    `${response.url}: not an error answer`,
  );
}
