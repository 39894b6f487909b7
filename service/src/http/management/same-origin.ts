/**
 * Whether a change was asked for by a page of ours. A browser sends its session along with what a
 * foreign page asks too, so a change needs proof: the header `Origin`, which names scheme, host and
 * port of the page, or `Sec-Fetch-Site`. Neither can be set by a page's script. One who sends
 * neither is no browser of today, and is refused.
 *
 * `publicUrl`: where the operator says the service stands, and no other page is ours; null when
 * nobody said. It is then reached in clear under whatever name the request went to.
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

/** As browsers write it: a default port left out. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
