import type { JsonObject } from './collect-schemas.ts';

/** Of every answer, problems included. */
const OF_ALL: Readonly<Record<string, string>> = {
  'Cache-Control':
    'How long the answer may be kept by the client that asked; `no-store` of errors.',
  'X-Ignored-Parameters': 'Names of parameters that were sent and mean nothing here.',
  'RateLimit-Policy': 'Quota `q` of each window, and its length `w` in seconds where it is fixed.',
  RateLimit: 'What remains of each window, `r`, and the seconds until there is more, `t`.',
  'X-RateLimit-Limit': 'Quota of the tightest window.',
  'X-RateLimit-Remaining': 'What remains of it.',
  'X-RateLimit-Reset': 'When there is more, in Unix seconds.',
  'X-Request-Id': 'Names this request in the log of the service.',
};

/** Of a good answer alone. */
const OF_DATA: Readonly<Record<string, string>> = {
  ETag: 'Strong tag of the body in this encoding; it does not depend on the key.',
  'Last-Modified': 'When the data last changed, where the answer knows.',
  Vary: 'Headers of the request on which the form of the answer depends.',
  'Content-Location': 'The address of this very answer: words for dates resolved, no key.',
  'X-Data-As-Of': 'Newest observation that changed the answer, RFC 3339 in UTC.',
  'X-Data-Source':
    '`synthetic` for the simulated market, `recorded` for a replay, `live` otherwise.',
  'X-Total-Count': 'How many rows there are in all, of an answer that is an array.',
  Link: 'The next page, `rel="next"`, where a `limit` left rows for it.',
  'X-History-From': 'First day that the plan shows, of an answer that leaves older rows out.',
  'X-History-Limited': 'Whether older rows were left out: `true` or `false`.',
};

/** Of problems of a status. */
const OF_PROBLEMS: Readonly<Record<string, string>> = {
  'WWW-Authenticate': 'How a key is sent.',
  Allow: 'The methods that the path takes.',
  'Retry-After': 'Seconds after which to try again; of a limit, when all that are full have room.',
};

const OWN_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** Refused before a key is known, or what is asked: nothing is counted and no parameter read. */
const UNCOUNTED: readonly number[] = [401, 405, 414, 431];
const IN_ANY_CASE: readonly string[] = ['Cache-Control', 'X-Request-Id'];

export function responseHeaders(): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...OF_DATA, ...OF_ALL, ...OF_PROBLEMS }).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

/** References to the headers of a good answer. */
export function responseHeaderRefs(): JsonObject {
  return refsTo([...Object.keys(OF_DATA), ...Object.keys(OF_ALL)]);
}

/** References to the headers of a problem of that status. */
export function problemHeaderRefs(status: number): JsonObject {
  const own = OWN_OF_STATUS[status];
  const shared = UNCOUNTED.includes(status) ? IN_ANY_CASE : Object.keys(OF_ALL);
  return refsTo(own === undefined ? shared : [own, ...shared]);
}

function refsTo(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
