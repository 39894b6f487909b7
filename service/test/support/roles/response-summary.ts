import type { ObservedResponse } from './reader.ts';

const MINUTE_MS = 60_000;

/**
 * Summary of the responses that readers received. `undocumented` and `unexpected` are empty if the
 * service was correct.
 */
export interface ResponseSummary {
  successes: number;
  refused: number;
  unavailable: number;
  /** Number of requests whose connection broke, which is unavoidable when a server is killed. */
  broken: number;
  /**
   * Responses with a status of 500 or above, except a 503 with its problem code and Retry-After.
   */
  undocumented: ObservedResponse[];
  /** Responses with a status that valid requests must not get. */
  unexpected: ObservedResponse[];
}

export function summarize(responses: readonly ObservedResponse[]): ResponseSummary {
  const withStatus = (status: number | null): ObservedResponse[] =>
    responses.filter((response) => response.status === status);
  const unavailable = withStatus(503);
  const documented = unavailable.filter(
    ({ retryAfter, body }) =>
      retryAfter !== null && body.includes('"code":"temporary-reduced-capacity"'),
  );
  const expectedStatuses = [200, 429, 503, null];
  return {
    successes: withStatus(200).length,
    refused: withStatus(429).length,
    unavailable: unavailable.length,
    broken: withStatus(null).length,
    undocumented: responses.filter(
      (response) =>
        response.status !== null && response.status >= 500 && !documented.includes(response),
    ),
    unexpected: responses.filter(({ status }) => !expectedStatuses.includes(status)),
  };
}

/**
 * Returns the maximum number of requests that were certainly admitted within one minute, by
 * counting those both sent and completed within it.
 */
export function maxAdmittedPerMinute(responses: readonly ObservedResponse[]): number {
  const admitted = responses
    .filter(({ status }) => status === 200)
    .toSorted((a, b) => a.sentMs - b.sentMs);
  let max = 0;
  for (const [index, first] of admitted.entries()) {
    const until = first.sentMs + MINUTE_MS;
    let count = 0;
    for (
      let next = index;
      next < admitted.length && (admitted[next]?.sentMs ?? until) < until;
      next += 1
    ) {
      if ((admitted[next]?.doneMs ?? until) < until) count += 1;
    }
    max = Math.max(max, count);
  }
  return max;
}
