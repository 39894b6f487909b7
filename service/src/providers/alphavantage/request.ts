import { parseSymbol } from '../../domain/symbol.ts';
import { readApiKey } from '../kit/api-key.ts';
import {
  type FeedRequest,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';

export const HOST = 'www.alphavantage.co';
export const KEY_SETTING = 'ALPHAVANTAGE_API_KEY';

/**
 * Returns one request per query, or none without a key. The source accepts its key only as a query
 * parameter, so the URL contains it; the key is redacted from every response before archiving.
 */
export function apiRequests(context: PlanContext, queries: readonly string[]): FeedRequest[] {
  const key = readApiKey(context, KEY_SETTING);
  if (key === null) return [];
  return queries.map((query) => ({
    url: `https://${HOST}/query?${query}&apikey=${encodeURIComponent(key)}`,
    headers: { accept: 'application/json, text/csv' },
  }));
}

/** Returns true if the response came from this API function. */
export function isFunctionResponse(response: SourceResponse, name: string): boolean {
  return isApiResponse(response) && functionOf(response) === name;
}

export function isApiResponse(response: SourceResponse): boolean {
  return response.host === HOST && /^\/query(?:\?|$)/.test(response.path);
}

export function functionOf(response: SourceResponse): string {
  return new URL(response.url).searchParams.get('function') ?? '';
}

/** Returns the canonical symbol in the URL, or null if the function takes no symbol. */
function requestedSymbol(response: SourceResponse): string | null {
  const text = new URL(response.url).searchParams.get('symbol');
  return text === null ? null : listedSymbol(text);
}

/** Like `requestedSymbol`, but throws if there is none. */
export function requireRequestedSymbol(response: SourceResponse): string {
  const symbol = requestedSymbol(response);
  if (symbol !== null) return symbol;
  throw new SourceResponseError('unsupported', 'foreign-listing', 'not a U.S. listing');
}

/**
 * Returns the canonical symbol of a U.S. listing, or null for other listings. The source writes
 * share classes with a hyphen and foreign listings with a dot (`FJRD.LON`), so a dot never marks a
 * class.
 */
export function listedSymbol(text: string): string | null {
  return text.includes('.') ? null : parseSymbol(text);
}

/** Returns the symbol in the source's spelling: `HARB-B` for the share class `HARB.B`. */
export function sourceSymbol(symbol: string): string {
  return encodeURIComponent(symbol.replaceAll('.', '-'));
}
