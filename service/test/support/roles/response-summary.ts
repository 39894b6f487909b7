import type { Seen } from './reader.ts';

const MINUTE_MS = 60_000;

/**
 * Summary of the responses that readers received. Both lists are empty if the service was correct.
 */
export interface Verdict {
  answers: number;
  refused: number;
  unavailable: number;
  /** Requests whose connection broke, which cannot be avoided when a server is killed. */
  broken: number;
  /** Responses of 500 and above, except a 503 with its problem code and Retry-After. */
  undocumented: Seen[];
  /** Responses with a status that valid requests must not get. */
  strange: Seen[];
}

export function judge(seen: readonly Seen[]): Verdict {
  const of = (status: number | null): Seen[] => seen.filter((one) => one.status === status);
  const unavailable = of(503);
  const documented = unavailable.filter(
    ({ retryAfter, body }) =>
      retryAfter !== null && body.includes('"code":"temporary-reduced-capacity"'),
  );
  const known = [200, 429, 503, null];
  return {
    answers: of(200).length,
    refused: of(429).length,
    unavailable: unavailable.length,
    broken: of(null).length,
    undocumented: seen.filter(
      (one) => one.status !== null && one.status >= 500 && !documented.includes(one),
    ),
    strange: seen.filter(({ status }) => !known.includes(status)),
  };
}

/**
 * The maximum number of requests certainly admitted within one minute. Counts those sent and
 * completed within it.
 */
export function mostInAMinute(seen: readonly Seen[]): number {
  const good = seen.filter(({ status }) => status === 200).toSorted((a, b) => a.sentMs - b.sentMs);
  let most = 0;
  for (const [index, first] of good.entries()) {
    const until = first.sentMs + MINUTE_MS;
    let count = 0;
    for (let at = index; at < good.length && (good[at]?.sentMs ?? until) < until; at += 1) {
      if ((good[at]?.doneMs ?? until) < until) count += 1;
    }
    most = Math.max(most, count);
  }
  return most;
}
