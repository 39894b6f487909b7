/**
 * Whether a change was asked for by a page of ours. A browser sends its session along with what a
 * foreign page asks too, so a change needs proof: the header `Origin`, which names the page's host,
 * or `Sec-Fetch-Site`. Neither can be set by a page's script. One who sends neither is no browser
 * of today, and is refused.
 */
export function isSameOrigin(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  publicUrl: string,
): boolean {
  const { origin, host } = headers;
  if (typeof origin === 'string') {
    const from = hostOf(origin);
    return from !== null && (from === host || from === hostOf(publicUrl));
  }
  return headers['sec-fetch-site'] === 'same-origin';
}

function hostOf(url: string): string | null {
  try {
    return new URL(url).host;
  } catch {
    return null;
  }
}
