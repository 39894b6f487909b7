import type { FeedRequest, PlanContext } from '../provider.ts';

export const HOST = 'finnhub.io';
export const KEY_SETTING = 'FINNHUB_API_KEY';

/**
 * Requests for paths below `/api/v1/`. The key is sent in a header, so that no URL, log or archive
 * contains it. Empty without a key: the source would reject every request.
 */
export function apiRequests(context: PlanContext, paths: readonly string[]): FeedRequest[] {
  const key = context.setting(KEY_SETTING)?.trim() ?? '';
  if (!isKey(key)) return [];
  return paths.map((path) => ({
    url: `https://${HOST}/api/v1/${path}`,
    headers: { accept: 'application/json', 'x-finnhub-token': key },
  }));
}

/** Accepts any value that fits in a header; the source does not document the format of its keys. */
export function isKey(value: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(value.trim());
}
