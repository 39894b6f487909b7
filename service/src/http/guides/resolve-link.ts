/** Files of the repository that the service answers under another address. */
const SERVED: Readonly<Record<string, string>> = {
  '../openapi/v1.json': '/openapi.json',
  '../openapi/account.json': '/account/openapi.json',
};

/**
 * Where a link of a document leads on the running service: documents to their guides, described
 * errors to their pages. Null when nothing of the kind is served: the words then stand alone.
 */
export function resolveLink(target: string, names: ReadonlySet<string>): string | null {
  if (target.startsWith('#') || target.startsWith('/')) return target;
  if (/^https?:\/\//.test(target)) return target;
  const [path = '', fragment] = target.split('#');
  const served = SERVED[path];
  if (served !== undefined) return served;
  const name = /^([\w-]+)\.md$/.exec(path)?.[1];
  if (name === undefined || !names.has(name)) return null;
  if (name === 'errors') return fragment === undefined ? '/errors' : `/errors/${fragment}`;
  return fragment === undefined ? `/guides/${name}` : `/guides/${name}#${fragment}`;
}
