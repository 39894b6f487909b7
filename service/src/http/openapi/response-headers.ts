import type { JsonObject } from './collect-schemas.ts';

/** Headers of every response, including problems. */
const ALL_RESPONSES: Readonly<Record<string, string>> = {
  'Cache-Control': 'How long the client may cache the response. `no-store` for errors.',
  'X-Ignored-Parameters':
    'Names of request parameters that this endpoint does not support and ignored.',
  'RateLimit-Policy': 'Quota `q` of each window, and its length `w` in seconds if it is fixed.',
  RateLimit: 'Remaining requests `r` of each window, and the seconds `t` until more are available.',
  'X-RateLimit-Limit': 'Quota of the window with the fewest remaining requests.',
  'X-RateLimit-Remaining': 'Remaining requests of that window.',
  'X-RateLimit-Reset': 'When more requests are available, in Unix seconds.',
  'X-Request-Id': 'Id of the request. Quote it when you contact support.',
};

/** Headers of successful responses only. */
const SUCCESSES: Readonly<Record<string, string>> = {
  ETag: 'Strong entity tag of the body in this encoding. It does not depend on the API key.',
  'Last-Modified': 'Time at which this process first saw the current content of the response.',
  Vary: 'Request headers that affect the response.',
  'Content-Location': 'Canonical URL of the response: relative dates resolved, no API key.',
  'X-Data-As-Of': 'Instant of the newest observation in the response, RFC 3339 in UTC.',
  'X-Data-Source':
    '`synthetic` for the simulated market, `recorded` for a replay, otherwise `live`.',
  'X-Total-Count': 'Number of rows in the whole list, if the response is an array.',
  Link: 'Next page, `rel="next"`, if a `limit` left more rows.',
  'X-Known-Gaps':
    'With `known=public`: kinds of data that no document states and that this service had not ' +
    'recorded by that instant, each with the time of its first recording as `before`.',
  'X-Unknown-Symbols':
    'With `symbols`: up to 100 requested symbols that no security has, which the response omits, each ' +
    'with its `successor` if it was replaced.',
  'X-History-From': 'First day that the plan includes, if the response may omit older rows.',
  'X-History-Limited': 'Whether older rows were omitted: `true` or `false`.',
};

/** Headers that problems with certain statuses include. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'WWW-Authenticate': 'How to authenticate.',
  Allow: 'Methods that the path supports.',
  'Retry-After': 'Seconds to wait before retrying. For limits, until none of them is reached.',
};

const REQUIRED_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/**
 * Statuses determined before authentication and parameter parsing. Such requests are not counted,
 * and their responses do not report ignored parameters.
 */
const UNCOUNTED_STATUSES: readonly number[] = [401, 405, 414, 431];
const UNCOUNTED_HEADERS: readonly string[] = ['Cache-Control', 'X-Request-Id'];

export function responseHeaders(): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...SUCCESSES, ...ALL_RESPONSES, ...PROBLEMS }).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

/** Returns references to the headers of a successful response. */
export function responseHeaderRefs(): JsonObject {
  return refsTo([...Object.keys(SUCCESSES), ...Object.keys(ALL_RESPONSES)]);
}

/** Returns references to the headers of a problem with the given status. */
export function problemHeaderRefs(status: number): JsonObject {
  const required = REQUIRED_BY_STATUS[status];
  const shared = UNCOUNTED_STATUSES.includes(status)
    ? UNCOUNTED_HEADERS
    : Object.keys(ALL_RESPONSES);
  return refsTo(required === undefined ? shared : [required, ...shared]);
}

function refsTo(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
