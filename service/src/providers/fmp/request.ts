import { readApiKey } from '../kit/api-key.ts';
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
  const key = readApiKey(context, KEY_SETTING);
  if (key === null) return [];
  return paths.map((path) => ({
    url: `https://${HOST}/stable/${path}`,
    headers: { accept: 'application/json', apikey: key },
  }));
}
