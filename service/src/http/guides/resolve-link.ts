/** Repository files that the service provides at a different path. */
const SERVED_FILES: Readonly<Record<string, string>> = {
  '../openapi/v1.json': '/openapi.json',
  '../openapi/account.json': '/account/openapi.json',
};

/**
 * Resolves a link in a document to a URL on the running service: links to documents become links to
 * guides, and links to error codes become links to their pages. Returns null if the service does
 * not provide the target, in which case only the link text is kept.
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
