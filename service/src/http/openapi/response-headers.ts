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
