/**
 * True if a page of this service sent the request. Browsers also send the session cookie with
 * requests of other sites, so changes need proof: the header `Origin` or `Sec-Fetch-Site`, which
 * page scripts cannot set. A request with neither is not from a current browser and is rejected.
 *
 * `publicUrl` is the configured URL, the only accepted origin. If it is null, the service is reached
 * over plain HTTP under the name in the `Host` header.
 */
export function isSameOrigin(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  publicUrl: string | null,
): boolean {
  const { origin, host } = headers;
  if (typeof origin !== 'string') return headers['sec-fetch-site'] === 'same-origin';
  if (publicUrl !== null) return origin === originOf(publicUrl);
  return typeof host === 'string' && origin === originOf(`http://${host}`);
}

/** The origin in browser notation, without a default port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
