import type { FeedRequest, PlanContext } from '../provider.ts';

export const HOST = 'financialmodelingprep.com';
export const KEY_SETTING = 'FMP_API_KEY';
/** An answer holds so many rows at most. */
export const ROWS_MAX = 4000;

/**
 * A request for a path below `/stable/`. The source takes its key as a parameter or as a header;
 * the header keeps it out of every URL, and so out of logs and archives. None without a key.
 */
export function apiRequests(context: PlanContext, paths: readonly string[]): FeedRequest[] {
  const key = context.setting(KEY_SETTING)?.trim() ?? '';
  if (!isKey(key)) return [];
  return paths.map((path) => ({
    url: `https://${HOST}/stable/${path}`,
    headers: { accept: 'application/json', apikey: key },
  }));
}

/** Whether a header can carry it; what keys look like is the source's own business. */
export function isKey(value: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(value.trim());
}
