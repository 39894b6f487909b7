import type { FeedRequest, PlanContext } from '../provider.ts';

export const HOST = 'finnhub.io';
export const KEY_SETTING = 'FINNHUB_API_KEY';

/**
 * A request for a path below `/api/v1/`. The key travels in a header, so that no URL, and with it
 * no log and no archive, ever holds it. None without a key: the source would refuse each.
 */
export function apiRequests(context: PlanContext, paths: readonly string[]): FeedRequest[] {
  const key = context.setting(KEY_SETTING)?.trim() ?? '';
  if (!isKey(key)) return [];
  return paths.map((path) => ({
    url: `https://${HOST}/api/v1/${path}`,
    headers: { accept: 'application/json', 'x-finnhub-token': key },
  }));
}

/** Whether a header can carry it; what keys look like is the source's own business. */
export function isKey(value: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(value.trim());
}
