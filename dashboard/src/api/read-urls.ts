import { READ_PATHS, type Reads } from './reads.gen.ts';

/** The URL of a read request, without an API key. Path parameters are taken from the query. */
export function readUrl(endpoint: keyof Reads, query: object): string {
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

/** The path template, as in the OpenAPI document. */
export function readPathTemplate(endpoint: keyof Reads): string {
  return READ_PATHS[endpoint].path;
}

/** A link to the API reference. */
export function referenceUrl(endpoint: keyof Reads): string {
  const { path, tag } = READ_PATHS[endpoint];
  return `/docs#data/tag/${tag}/GET${path}`;
}
