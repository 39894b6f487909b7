import { useCall } from '../api/use-call.ts';

/** Fits two lines of a heading. URLs can have 2,048 characters. */
const NAME_MAX = 80;

/** The endpoint's description, or else its URL, shortened in the middle. */
export function endpointName({ url, description }: { url: string; description: string }): string {
  if (description !== '') return description;
  const short = shortUrl(url);
  return short.length <= NAME_MAX ? short : `${short.slice(0, NAME_MAX - 20)}…${short.slice(-19)}`;
}

/** The URL without its scheme. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Endpoint names by ID, without deleted endpoints. Null while loading. */
export function useEndpointNames(): ReadonlyMap<string, string> | null {
  const { data } = useCall('webhooks-list', {});
  return data === undefined
    ? null
    : new Map(data.map((endpoint) => [endpoint.id, endpointName(endpoint)]));
}
