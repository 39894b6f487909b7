/** Stands in a stored or logged URL where a secret stood. */
const SCRUBBED = 'REDACTED';

/**
 * The URL without user, password, fragment, and the values of the named parameters (in any case):
 * fit for logs and archives. Order and all other parameters stay as they are. Text that is no
 * absolute URL comes back as `SCRUBBED`, since nobody can say what is in it.
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
