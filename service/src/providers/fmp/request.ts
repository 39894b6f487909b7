import type { FeedRequest, PlanContext } from '../provider.ts';

export const HOST = 'financialmodelingprep.com';
export const KEY_SETTING = 'FMP_API_KEY';
/** Maximum number of rows in a response. */
export const ROWS_MAX = 4000;

/**
 * Requests for paths below `/stable/`. The source accepts its key as a parameter or a header; the
 * header keeps it out of URLs, and so out of logs and archives. Empty without a key.
 */
export function apiRequests(context: PlanContext, paths: readonly string[]): FeedRequest[] {
  const key = context.setting(KEY_SETTING)?.trim() ?? '';
  if (!isKey(key)) return [];
  return paths.map((path) => ({
    url: `https://${HOST}/stable/${path}`,
    headers: { accept: 'application/json', apikey: key },
  }));
}

/** Accepts any value that fits in a header; the source does not document the format of its keys. */
export function isKey(value: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(value.trim());
}
