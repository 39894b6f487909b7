import { parseSymbol } from '../../domain/symbol.ts';
import {
  type SourceResponse,
  SourceResponseError,
  type FeedRequest,
  type PlanContext,
} from '../provider.ts';

export const HOST = 'www.alphavantage.co';
export const KEY_SETTING = 'ALPHAVANTAGE_API_KEY';

/**
 * A request for a function. The source takes its key as a parameter and in no other way, so the key
 * is in this URL; it is taken out of every answer before that is archived. None without a key.
 */
export function apiRequests(context: PlanContext, queries: readonly string[]): FeedRequest[] {
  const key = context.setting(KEY_SETTING)?.trim() ?? '';
  if (!isKey(key)) return [];
  return queries.map((query) => ({
    url: `https://${HOST}/query?${query}&apikey=${encodeURIComponent(key)}`,
    headers: { accept: 'application/json, text/csv' },
  }));
}

/** What keys look like is the source's own business; this much makes it one that can be sent. */
export function isKey(value: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(value.trim());
}

/** Whether the answer is one of the source, about that function. */
export function isFunctionResponse(response: SourceResponse, name: string): boolean {
  return isApiResponse(response) && functionOf(response) === name;
}

export function isApiResponse(response: SourceResponse): boolean {
  return response.host === HOST && /^\/query(?:\?|$)/.test(response.path);
}

export function functionOf(response: SourceResponse): string {
  return new URL(response.url).searchParams.get('function') ?? '';
}

/** The canonical symbol that the URL asks about; null for a function about no symbol. */
function requestedSymbol(response: SourceResponse): string | null {
  const text = new URL(response.url).searchParams.get('symbol');
  return text === null ? null : listedSymbol(text);
}

/** As `symbolAsked`, of an answer that must be about one. */
export function requireRequestedSymbol(response: SourceResponse): string {
  const symbol = requestedSymbol(response);
  if (symbol !== null) return symbol;
  throw new SourceResponseError('unsupported', 'foreign-listing', 'asked about no listing here');
}

/**
 * The canonical symbol of a listing in the United States, else null. The source writes class shares
 * with a hyphen and listings abroad with a dot (`FJRD.LON`), so that a dot is never a class.
 */
export function listedSymbol(text: string): string | null {
  return text.includes('.') ? null : parseSymbol(text);
}

/** As the source writes it: `HARB-B` for the class share `HARB.B`. */
export function sourceSymbol(symbol: string): string {
  return encodeURIComponent(symbol.replaceAll('.', '-'));
}
