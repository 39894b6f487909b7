/** Replacement for a secret in a stored or logged URL. */
const SCRUBBED = 'REDACTED';

/**
 * Removes the user, password, fragment and the values of the given parameters (in any case) from a
 * URL, for logs and archives. Keeps the parameter order and all other values. Returns `SCRUBBED`
 * for text that isn't an absolute URL, because its secrets cannot be found.
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
