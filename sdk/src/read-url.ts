/** Parameters by name. Undefined parameters are omitted. */
export type ReadParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Builds the URL for a read endpoint. `path` is written as in the OpenAPI document, with parameters
 * in braces: `/v1/profile/{symbol}`. All other parameters are added to the query string in the
 * given order. Do not put the API key in the URL, where it could be logged; send it in the
 * `X-Api-Key` header.
 *
 * Throws a `TypeError` if `base` is not an absolute HTTP(S) URL, or if a path parameter is missing
 * or empty.
 */
export function readUrl(base: string, path: string, parameters: ReadParameters = {}): string {
  const url = new URL(base);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`not an http address: ${base}`);
  const inPath = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined || value === '') throw new TypeError(`${path} needs ${name}`);
    inPath.add(name);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && !inPath.has(name)) query.append(name, String(value));
  }
  const text = query.toString();
  const prefix = url.origin + url.pathname.replace(/\/+$/, '');
  return prefix + filled + (text === '' ? '' : `?${text}`);
}
