import { AGENT } from '../../platform/agent.ts';
import { parseSymbol, symbolKind } from '../../domain/symbol.ts';
import { decodeUrlComponent } from '../kit/clean-text.ts';
import {
  type FeedRequest,
  type PlanContext,
  type SessionTokenConfig,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';

const API = 'query2.finance.yahoo.com';
const COOKIE_HOST = 'fc.yahoo.com';
const CONSENT_HOSTS = ['guce.yahoo.com', 'consent.yahoo.com'];
export const CONSENT_SETTING = 'YAHOO_CONSENT';
export const CONSENT_VALUE = 'agree';
/** Both hosts serve the same responses. */
const API_HOSTS: readonly string[] = [API, 'query1.finance.yahoo.com'];
export const HOSTS: readonly string[] = [...API_HOSTS, COOKIE_HOST, ...CONSENT_HOSTS];

/**
 * The source refuses the agents of programs, and agents of browsers whose TLS handshake is not that
 * browser's. It accepts an agent that begins like a browser's and names this software.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'user-agent': `Mozilla/5.0 (compatible; ${AGENT})`,
  accept: 'application/json, text/plain, */*',
  'accept-language': 'en-US,en;q=0.9',
};

/** Charts need no token; company pages need the crumb that matches the cookie. */
export const sessionToken: SessionTokenConfig = {
  cookieUrl: `https://${COOKIE_HOST}/`,
  tokenUrl: `https://${API}/v1/test/getcrumb`,
  headers: { ...HEADERS },
  parameter: 'crumb',
  consent: {
    setting: CONSENT_SETTING,
    value: CONSENT_VALUE,
    formUrl: `https://${CONSENT_HOSTS[0]}/consent`,
  },
  isNeeded: (url) => /^\/v(?:7\/finance\/quote|10\/finance\/quoteSummary\/)/.test(url.pathname),
  isExpired: ({ status, text }) => status === 401 && /\bcrumb\b/i.test(text),
};

/** Returns true if the API returned this response at a matching path. */
export function isApiResponse(response: SourceResponse, path: RegExp): boolean {
  return API_HOSTS.includes(response.host) && path.test(response.path);
}

/** Returns one request for each company. */
export function companyRequests(
  { symbols }: PlanContext,
  pathOf: (symbol: string) => string,
): FeedRequest[] {
  return symbols
    .filter((symbol) => symbolKind(symbol) === 'share')
    .map((symbol) => ({
      url: `https://${API}/${pathOf(symbol.replaceAll('.', '-'))}`,
      headers: { ...HEADERS },
    }));
}

/**
 * Returns the canonical symbol of a U.S. listing, or null for other listings. The source writes
 * share classes with a hyphen and foreign listings with a dot, so `ABCD.L` is a London listing and
 * not a class.
 */
export function listedSymbol(text: unknown): string | null {
  return typeof text === 'string' && !text.includes('.') ? parseSymbol(text) : null;
}

/** Returns the symbol in the URL, which is the first group in `path`. */
export function requestedSymbol(response: SourceResponse, path: RegExp): string {
  const text = decodeUrlComponent(path.exec(response.path)?.[1] ?? '');
  if (text.includes('.')) {
    throw new SourceResponseError(
      'unsupported',
      'foreign-listing',
      `${text.slice(0, 30)} is a foreign listing`,
    );
  }
  const symbol = listedSymbol(text);
  if (symbol !== null) return symbol;
  throw new SourceResponseError(
    'unsupported',
    'not-a-share',
    `${text.slice(0, 30)} is not a share`,
  );
}
