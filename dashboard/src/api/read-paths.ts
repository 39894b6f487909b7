import { READ_PATHS, type Reads } from './reads.gen.ts';

/** The URL of a read request, without an API key. Path parameters are taken from the query. */
export function addressOfRead(endpoint: keyof Reads, query: object): string {
  const rest = new URLSearchParams(Object.entries(query).map(([name, it]) => [name, String(it)]));
  const path = READ_PATHS[endpoint].path.replaceAll(/\{(\w+)\}/g, (_all, part: string) => {
    const value = rest.get(part) ?? '';
    rest.delete(part);
    return encodeURIComponent(value);
  });
  const text = rest.toString().replaceAll('%2C', ',');
  return `${window.location.origin}${path}${text === '' ? '' : `?${text}`}`;
}

/** The path template, as in the OpenAPI document. */
export function pathOfRead(endpoint: keyof Reads): string {
  return READ_PATHS[endpoint].path;
}

/** A link to the API reference. */
export function referenceOfRead(endpoint: keyof Reads): string {
  const { path, tag } = READ_PATHS[endpoint];
  return `/docs#data/tag/${tag}/GET${path}`;
}
