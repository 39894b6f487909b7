import { useCall } from '../api/use-call.ts';

/** The longest name that fits on two lines of a heading. URLs can have up to 2,048 characters. */
const NAME_MAX = 80;

/**
 * Returns the endpoint's description, or else its URL, shortened in the middle if it is too long.
 */
export function endpointName({ url, description }: { url: string; description: string }): string {
  if (description !== '') return description;
  const short = shortUrl(url);
  return short.length <= NAME_MAX ? short : `${short.slice(0, NAME_MAX - 20)}…${short.slice(-19)}`;
}

/** Returns a URL without its scheme. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Returns endpoint names by ID, without deleted endpoints, or null while loading. */
export function useEndpointNames(): ReadonlyMap<string, string> | null {
  const { data } = useCall('webhooks-list', {});
  return data === undefined
    ? null
    : new Map(data.map((endpoint) => [endpoint.id, endpointName(endpoint)]));
}
