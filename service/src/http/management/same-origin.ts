/**
 * Returns true if the request was sent by a page of this service. Browsers also send the session
 * cookie with requests from other sites, so changes require proof: the `Origin` or `Sec-Fetch-Site`
 * header, which page scripts cannot set. Current browsers always send one of these headers with
 * changes, so a request without both is rejected.
 *
 * `publicUrl` is the configured URL, and its origin is the only accepted one. If it is null, the
 * service is assumed to be reached over plain HTTP under the name in the `Host` header.
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

/** Returns the origin as browsers write it, without a default port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
