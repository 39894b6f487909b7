/** Headers for every response of the read API, as alternating names and values. */

/**
 * Pages from any origin may read responses, but never with credentials. The referrer policy
 * protects the API key, which may be in the URL. The content security policy prevents a response
 * from running scripts if it is opened as a page.
 */
export const COMMON_HEADERS: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  '*',
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy',
  'no-referrer',
];

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

export const PREFLIGHT_HEADERS: readonly string[] = [
  'Allow',
  ALLOWED_METHODS,
  'Access-Control-Allow-Methods',
  ALLOWED_METHODS,
  'Access-Control-Allow-Headers',
  'Authorization, X-Api-Key, Accept, Content-Type, If-None-Match, If-Modified-Since, If-Range, Range, Last-Event-ID',
  'Access-Control-Max-Age',
  '86400',
];

/** The response also depends on the key: a plan limits the history that a response includes. */
export const VARY = 'Accept, Accept-Encoding, Authorization, X-Api-Key';

export const KEY_CHALLENGE = 'ApiKey realm="earnings-data", in="query", name="apikey"';
