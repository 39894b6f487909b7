import { parseSymbol } from '../../domain/symbol.ts';
import { decodeUrlComponent } from '../kit/clean-text.ts';
import type { FeedRequest } from '../provider.ts';

export const HOST = 'api.nasdaq.com';

/**
 * The API only serves browsers: a request without browser headers hangs until its timeout or gets a
 * 403.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: 'application/json, text/plain, */*',
  'accept-language': 'en-US,en;q=0.9',
  origin: 'https://www.nasdaq.com',
  referer: 'https://www.nasdaq.com/',
};

/**
 * Returns the symbol as a path segment. Symbols are spelled as in the screener (`HARB/B` for a share
 * class, `QUAY^A` for a preferred share), and the site encodes a slash twice: `HARB%25sl%25B`.
 */
export function symbolSegment(symbol: string): string {
  const spelled = symbol.replace(/\.PR(?:\.(?=[A-Z]$)|$)/, '^').replaceAll('.', '/');
  return spelled.split('/').map(encodeURIComponent).join('%25sl%25');
}

/** Returns the canonical symbol of a path segment in any spelling, or null if it has none. */
export function segmentSymbol(segment: string): string | null {
  return parseSymbol(decodeUrlComponent(segment).replaceAll(/%sl%/gi, '/'));
}

/** Returns a request for a path below `/api/`. */
export function apiRequest(path: string): FeedRequest {
  return { url: `https://${HOST}/api/${path}`, headers: { ...HEADERS } };
}
