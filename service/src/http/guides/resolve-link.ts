/** Repository files that the service provides at a different path. */
const SERVED_FILES: Readonly<Record<string, string>> = {
  '../openapi/v1.json': '/openapi.json',
  '../openapi/account.json': '/account/openapi.json',
};

/**
 * Returns the URL on the running service for a link in a document: documents map to guides, and
 * error codes to their pages. Returns null if the service does not provide the target; only the
 * link text is then kept.
 */
export function resolveLink(target: string, names: ReadonlySet<string>): string | null {
  if (target.startsWith('#') || target.startsWith('/')) return target;
  if (/^https?:\/\//.test(target)) return target;
  const [path = '', fragment] = target.split('#');
  const servedPath = SERVED_FILES[path];
  if (servedPath !== undefined) return servedPath;
  const name = /^([\w-]+)\.md$/.exec(path)?.[1];
  if (name === undefined || !names.has(name)) return null;
  if (name === 'errors') return fragment === undefined ? '/errors' : `/errors/${fragment}`;
  return fragment === undefined ? `/guides/${name}` : `/guides/${name}#${fragment}`;
}
