import {
  type HostReply,
  jsonReply,
  pageReply,
  scriptedHost,
  type ScriptedHost,
} from './scripted-host.ts';

const HOUR_MS = 3_600_000;
/** A path about one symbol, with the symbol as its first group. */
const SYMBOL_PATH = /^\/api\/(?:quote|company|analyst)\/([^/?]+)\//;
/** Letters, and the slash of a class as the site encodes it. */
const SEGMENT = /^[A-Z]+(?:%25sl%25[A-Z]+|%5E[A-Z]?)?$/;
const BROWSER_HEADERS = ['accept', 'accept-language', 'origin', 'referer'];

/**
 * api.nasdaq.com: hangs without a browser's headers, and after 250 requests in an hour. It responds
 * with HTTP 200 to a symbol in the wrong spelling, and with an error in the body.
 */
export function nasdaqHost(
  options: { whenBlocked?: 'hang' | 403 | 429; requestsMax?: number } = {},
): ScriptedHost {
  const { whenBlocked = 'hang', requestsMax = 250 } = options;
  const refusal: HostReply =
    whenBlocked === 'hang' ? 'hang' : pageReply(whenBlocked, '<html>Access Denied</html>');
  return scriptedHost({
    names: ['api.nasdaq.com'],
    limits: [
      { name: 'too many', requests: requestsMax, windowMs: HOUR_MS, refusal, blockMs: HOUR_MS / 4 },
      { name: 'too fast', requests: 1, windowMs: 2000, refusal, blockMs: 0 },
    ],
    check({ headers, path }) {
      const isBrowser =
        (headers.get('user-agent') ?? '').startsWith('Mozilla/5.0 ') &&
        BROWSER_HEADERS.every((name) => headers.has(name));
      if (!isBrowser) return { reason: 'not a browser', refusal: 'hang' };
      const segment = SYMBOL_PATH.exec(path)?.[1];
      if (segment === undefined || SEGMENT.test(segment)) return null;
      return { reason: 'spelling of a symbol', refusal: unknownSymbol() };
    },
    serve: ({ url }) => envelope(dataOf(url.pathname)),
  });
}

function dataOf(path: string): object {
  if (path.endsWith('/dividends') && path.includes('/quote/')) return { dividends: { rows: [] } };
  if (path.endsWith('/historical')) return { tradesTable: { rows: [] } };
  if (path.endsWith('/earnings-surprise')) return { earningsSurpriseTable: { rows: [] } };
  if (path.endsWith('/earnings-date')) return { announcement: '', reportText: '' };
  if (path.endsWith('/earnings-forecast')) return { quarterlyForecast: { rows: [] } };
  if (path.endsWith('/market-info')) return { openRaw: '2026-11-19T09:30:00' };
  if (path.endsWith('/calendar/dividends')) return { calendar: { rows: [] } };
  if (path.endsWith('/ipo/calendar')) return { priced: { rows: [] } };
  if (path.endsWith('/screener/stocks')) return { rows: [SCREENER_ROW] };
  return { rows: [] };
}

const SCREENER_ROW = { symbol: 'MERD', name: 'Meridian', lastsale: '$1.00', netchange: '0.10' };

function envelope(data: object): HostReply {
  return jsonReply({ data, message: null, status: { rCode: 200, bCodeMessage: null } });
}

function unknownSymbol(): HostReply {
  const message = { code: 1001, errorMessage: 'Symbol not exists.' };
  return jsonReply({ data: null, message: null, status: { rCode: 400, bCodeMessage: [message] } });
}
