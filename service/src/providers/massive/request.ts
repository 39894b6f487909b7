import { parseSymbol } from '../../domain/symbol.ts';
import { RowError } from '../kit/row-error.ts';
import type { SourceResponse, FeedRequest, PlanContext } from '../provider.ts';

const API = 'api.massive.com';
/** The name of before still answers. */
export const HOSTS: readonly string[] = [API, 'api.polygon.io'];
export const KEY_SETTING = 'MASSIVE_API_KEY';

/** A request for a path. The key travels in a header, so that no URL holds it; none without a key. */
export function apiRequests(context: PlanContext, paths: readonly string[]): FeedRequest[] {
  const key = context.setting(KEY_SETTING)?.trim() ?? '';
  if (!isKey(key)) return [];
  return paths.map((path) => ({
    url: `https://${API}/${path}`,
    headers: { accept: 'application/json', authorization: `Bearer ${key}` },
  }));
}

/** Whether a header can carry it; what keys look like is the source's own business. */
export function isKey(value: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(value.trim());
}

export function isApiResponse(response: SourceResponse, path: RegExp): boolean {
  return HOSTS.includes(response.host) && path.test(response.path);
}

/**
 * The canonical symbol. Case tells here: `QUAYpA` is a preferred share and `QUAYPA` a ticker; other
 * small letters mark when-issued shares and rights, of which nothing is wanted.
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
