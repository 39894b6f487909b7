import { type Feed, type SourceResponse, SourceResponseError } from '../provider.ts';

/**
 * Returns a feed for error responses from URLs that no feed in `feeds` reads. Such responses have
 * no rows but must be counted for this source. `reject` throws the error in the response.
 */
export function errorFeed(
  feeds: readonly Feed[],
  isError: (response: SourceResponse) => boolean,
  reject: (response: SourceResponse) => unknown,
): Feed {
  return {
    name: 'error-answer',
    datasets: [],
    claims: (response) => isError(response) && !isClaimed(feeds, response),
    parse(response) {
      reject(response);
      const detail = `${response.host}: not an error response`;
      throw new SourceResponseError('damaged', 'no-error-found', detail);
    },
  };
}

/**
 * Returns a feed for all other responses from the source. `reject` throws errors. Any other
 * response is `unsupported`, with the reason for the first pattern that matches `target`, such as
 * the path.
 */
export function unreadFeed(
  feeds: readonly Feed[],
  options: {
    isOwn(response: SourceResponse): boolean;
    reject(response: SourceResponse): unknown;
    target(response: SourceResponse): string;
    reasons: readonly (readonly [pattern: RegExp, reason: string])[];
    defaultReason: string;
  },
): Feed {
  return {
    name: 'unread',
    datasets: [],
    claims: (response) => options.isOwn(response) && !isClaimed(feeds, response),
    parse(response) {
      options.reject(response);
      const target = options.target(response);
      const reason = options.reasons.find(([pattern]) => pattern.test(target))?.[1];
      // Reports the host rather than the path, which may contain a secret.
      const detail = response.host;
      throw new SourceResponseError('unsupported', reason ?? options.defaultReason, detail);
    },
  };
}

function isClaimed(feeds: readonly Feed[], response: SourceResponse): boolean {
  return feeds.some((feed) => feed.claims(response));
}
