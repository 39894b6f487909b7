import { parseSymbol } from '../../domain/symbol.ts';
import { type Answer, AnswerError, type FeedRequest, type PlanContext } from '../provider.ts';

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
export function isOfFunction(answer: Answer, name: string): boolean {
  return isOfSource(answer) && functionOf(answer) === name;
}

export function isOfSource(answer: Answer): boolean {
  return answer.host === HOST && /^\/query(?:\?|$)/.test(answer.path);
}

export function functionOf(answer: Answer): string {
  return new URL(answer.url).searchParams.get('function') ?? '';
}

/** The canonical symbol that the URL asks about; null for a function about no symbol. */
function symbolAsked(answer: Answer): string | null {
  const text = new URL(answer.url).searchParams.get('symbol');
  return text === null ? null : listedSymbol(text);
}

/** As `symbolAsked`, of an answer that must be about one. */
export function requireSymbolAsked(answer: Answer): string {
  const symbol = symbolAsked(answer);
  if (symbol !== null) return symbol;
  throw new AnswerError('unsupported', 'foreign-listing', 'asked about no listing here');
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
