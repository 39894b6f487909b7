import { readApiKey } from '../kit/api-key.ts';
import type { FeedRequest, PlanContext } from '../provider.ts';

export const HOST = 'financialmodelingprep.com';
export const KEY_SETTING = 'FMP_API_KEY';
/** Maximum number of rows per response. */
export const ROWS_MAX = 4000;

/**
 * Returns requests for paths below `/stable/`, or none without a key. The source accepts its key as
 * a parameter or a header; a header keeps the key out of URLs, and therefore out of logs and
 * archives.
 */
export function apiRequests(context: PlanContext, paths: readonly string[]): FeedRequest[] {
  const key = readApiKey(context, KEY_SETTING);
  if (key === null) return [];
  return paths.map((path) => ({
    url: `https://${HOST}/stable/${path}`,
    headers: { accept: 'application/json', apikey: key },
  }));
}
