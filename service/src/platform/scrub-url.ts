/** Replaces a secret in a stored or logged URL. */
const SCRUBBED = 'REDACTED';

/**
 * The URL without user, password, fragment and the values of the named parameters (in any case),
 * for logs and archives. Keeps the order and all other parameters. Returns `SCRUBBED` for text that
 * isn't an absolute URL, because its secrets cannot be found.
 */
export function scrubUrl(url: string, secretParams: readonly string[]): string {
  if (!URL.canParse(url)) return SCRUBBED;
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  const secrets = new Set(secretParams.map((name) => name.toLowerCase()));
  for (const name of new Set(parsed.searchParams.keys())) {
    if (secrets.has(name.toLowerCase())) parsed.searchParams.set(name, SCRUBBED);
  }
  return parsed.href;
}
