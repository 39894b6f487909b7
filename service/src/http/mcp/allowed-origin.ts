const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns true if a page of this origin may call `/mcp`: a page of the service itself, or a tool on
 * the user's own machine, such as an inspector. Any other page could be one whose name was rebound
 * to this address, so it is rejected. Clients outside browsers send no origin.
 */
export function isAllowedOrigin(origin: string | undefined, publicUrl: string): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: normalized } = new URL(origin);
  if (normalized === new URL(publicUrl).origin) return true;
  return (protocol === 'http:' || protocol === 'https:') && LOOPBACK_HOSTS.has(hostname);
}
