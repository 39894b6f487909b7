import { useCall } from '../api/use-call.ts';

/** Two lines of a heading; a URL may have 2,048 characters. */
const NAME_MAX = 80;

/** What people call an endpoint: its description, else where it is, the middle of a long URL left out. */
export function endpointName({ url, description }: { url: string; description: string }): string {
  if (description !== '') return description;
  const short = shortUrl(url);
  return short.length <= NAME_MAX ? short : `${short.slice(0, NAME_MAX - 20)}…${short.slice(-19)}`;
}

/** Without the scheme, which is always the same. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/**
 * Names by id; endpoints that were taken out have none any more. Null as long as none is known, when
 * nothing can be said of any.
 */
export function useEndpointNames(): ReadonlyMap<string, string> | null {
  const { data } = useCall('webhooks-list', {});
  return data === undefined
    ? null
    : new Map(data.map((endpoint) => [endpoint.id, endpointName(endpoint)]));
}
