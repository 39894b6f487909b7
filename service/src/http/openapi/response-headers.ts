import type { JsonObject } from './json.ts';

/** Headers of a good answer. */
const HEADERS: Readonly<Record<string, string>> = {
  ETag: 'Strong tag of the body in this encoding; it does not depend on the key.',
  'Last-Modified': 'When the data last changed, where the answer knows.',
  'Cache-Control': 'How long the answer may be kept by the client that asked.',
  'Content-Location': 'The address of this very answer: words for dates resolved, no key.',
  'X-Data-As-Of': 'Newest observation that changed the answer, RFC 3339 in UTC.',
  'X-Data-Source':
    '`synthetic` for the simulated market, `recorded` for a replay, `live` otherwise.',
  'X-Ignored-Parameters': 'Names of parameters that were sent and mean nothing here.',
  'X-Total-Count': 'How many rows there are in all, of an answer that is an array.',
  Link: 'The next page, `rel="next"`, where a `limit` left rows for it.',
  'X-History-From': 'First day that the plan shows, of an answer that leaves older rows out.',
  'X-History-Limited': 'Whether older rows were left out: `true` or `false`.',
  'RateLimit-Policy': 'Quota `q` of each window, and its length `w` in seconds where it is fixed.',
  RateLimit: 'What remains of each window, `r`, and the seconds until there is more, `t`.',
  'X-RateLimit-Limit': 'Quota of the tightest window.',
  'X-RateLimit-Remaining': 'What remains of it.',
  'X-RateLimit-Reset': 'When there is more, in Unix seconds.',
  'X-Request-Id': 'Names this request in the log of the service.',
};

export function responseHeaders(): JsonObject {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

export function responseHeaderRefs(): JsonObject {
  return Object.fromEntries(
    Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
