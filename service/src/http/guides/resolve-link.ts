/** Repository files that the service serves at another path. */
const SERVED_FILES: Readonly<Record<string, string>> = {
  '../openapi/v1.json': '/openapi.json',
  '../openapi/account.json': '/account/openapi.json',
};

/**
 * Where a document link leads on the running service: documents to guides, error codes to their
 * pages. Null if the target is not served; then only the label remains.
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
