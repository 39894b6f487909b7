import { useCall } from '../api/use-call.ts';

/** What people call an endpoint: its description, else where it is. */
export function endpointName({ url, description }: { url: string; description: string }): string {
  return description === '' ? shortUrl(url) : description;
}

/** Without the scheme, which is always the same. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Names by id; endpoints that were taken out have none any more. */
export function useEndpointNames(): ReadonlyMap<string, string> {
  const { data = [] } = useCall('webhooks-list', {});
  return new Map(data.map((endpoint) => [endpoint.id, endpointName(endpoint)]));
}
