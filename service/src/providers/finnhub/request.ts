import { readApiKey } from '../kit/api-key.ts';
import type { FeedRequest, PlanContext } from '../provider.ts';

export const HOST = 'finnhub.io';
export const KEY_SETTING = 'FINNHUB_API_KEY';

/**
 * Returns requests for paths below `/api/v1/`. The key is sent in a header, so that no URL, log or
 * archive contains it. Without a key the list is empty, since the source would reject every
 * request.
 */
export function apiRequests(context: PlanContext, paths: readonly string[]): FeedRequest[] {
  const key = readApiKey(context, KEY_SETTING);
  if (key === null) return [];
  return paths.map((path) => ({
    url: `https://${HOST}/api/v1/${path}`,
    headers: { accept: 'application/json', 'x-finnhub-token': key },
  }));
}
