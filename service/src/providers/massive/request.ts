import { parseSymbol } from '../../domain/symbol.ts';
import { readApiKey } from '../kit/api-key.ts';
import { RowError } from '../kit/row-error.ts';
import type { FeedRequest, PlanContext, SourceResponse } from '../provider.ts';

const API = 'api.massive.com';
/** The source's former host, `api.polygon.io`, still responds. */
export const HOSTS: readonly string[] = [API, 'api.polygon.io'];
export const KEY_SETTING = 'MASSIVE_API_KEY';

/**
 * Returns requests for the paths, or none without a key. The key is sent in a header, so that no
 * URL contains it.
 */
export function apiRequests(context: PlanContext, paths: readonly string[]): FeedRequest[] {
  const key = readApiKey(context, KEY_SETTING);
  if (key === null) return [];
  return paths.map((path) => ({
    url: `https://${API}/${path}`,
    headers: { accept: 'application/json', authorization: `Bearer ${key}` },
  }));
}

export function isApiResponse(response: SourceResponse, path: RegExp): boolean {
  return HOSTS.includes(response.host) && path.test(response.path);
}

/**
 * Returns the canonical symbol, or null. Case is significant: `QUAYpA` is a preferred share and
 * `QUAYPA` is an ordinary ticker. Other lower-case letters mark when-issued shares and rights,
 * which are not ingested.
 */
export function canonicalSymbol(ticker: unknown): string | null {
  if (typeof ticker !== 'string' || ticker.length > 24) return null;
  const preferred = /^([A-Z]+)p([A-Z]?)$/.exec(ticker);
  if (preferred !== null) return parseSymbol(`${preferred[1]}.PR${preferred[2] ?? ''}`);
  return ticker === ticker.toUpperCase() ? parseSymbol(ticker) : null;
}

export function requireTicker(ticker: unknown): string {
  const symbol = canonicalSymbol(ticker);
  if (symbol !== null) return symbol;
  throw new RowError('bad-symbol', `the ticker is ${JSON.stringify(ticker)}`.slice(0, 100));
}
