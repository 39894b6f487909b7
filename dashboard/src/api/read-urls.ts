import { READ_PATHS, type ReadEndpoint } from './read-paths.gen.ts';

/**
 * Returns the URL of a read request, without an API key. Path parameters are taken from `query`.
 */
export function readUrl(endpoint: ReadEndpoint, query: object): string {
  const params = new URLSearchParams(
    Object.entries(query).map(([name, parameter]) => [name, String(parameter)]),
  );
  const path = READ_PATHS[endpoint].path.replaceAll(/\{(\w+)\}/g, (_all, part: string) => {
    const value = params.get(part) ?? '';
    params.delete(part);
    return encodeURIComponent(value);
  });
  const text = params.toString().replaceAll('%2C', ',');
  return `${window.location.origin}${path}${text === '' ? '' : `?${text}`}`;
}

/** Returns the path template, as written in the OpenAPI document. */
export function readPathTemplate(endpoint: ReadEndpoint): string {
  return READ_PATHS[endpoint].path;
}

/** Returns a link to the endpoint's section in the API reference. */
export function referenceUrl(endpoint: ReadEndpoint): string {
  const { path, tag } = READ_PATHS[endpoint];
  return `/docs#data/tag/${tag}/GET${path}`;
}
