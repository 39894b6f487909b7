import type { ObservedResponse } from './reader.ts';

const MINUTE_MS = 60_000;

/**
 * Summary of the responses that readers received. Both lists are empty if the service was correct.
 */
export interface ResponseSummary {
  successes: number;
  refused: number;
  unavailable: number;
  /** Requests whose connection broke, which cannot be avoided when a server is killed. */
  broken: number;
  /** Responses of 500 and above, except a 503 with its problem code and Retry-After. */
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
 * The maximum number of requests certainly admitted within one minute. Counts those sent and
 * completed within it.
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
