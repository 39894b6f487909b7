import { isIP } from 'node:net';
import type { DevAllow } from './dev-allow.ts';
import {
  type AddressRange,
  forbiddenAddress,
  isInside,
  parseAddress,
} from './forbidden-address.ts';

/** Operator-configured exceptions to the URL rules. There are none by default. */
export interface UrlRules {
  /** Allowed ports on public addresses. Defaults to 443. */
  ports: readonly number[];
  devAllow: DevAllow;
  /** Networks that no delivery may reach, in addition to those that are not public. */
  denied?: readonly AddressRange[];
}

export type UrlVerdict =
  | {
      ok: true;
      /** The normalized URL, with the host in lower case and Punycode. */
      url: string;
      protocol: 'https:' | 'http:';
      /**
       * A DNS name, `localhost`, or an address without brackets. `localhost` and addresses are
       * valid only with a development exception.
       */
      host: string;
      port: number;
      /** True if the URL is valid only because of a development exception. */
      isDev: boolean;
    }
  | { ok: false; problem: string };

const URL_LENGTH_MAX = 2048;
const NAME_LENGTH_MAX = 253;
/** Names that only resolvers of private networks know. */
const LOCAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'svc',
  'home.arpa',
  'onion',
];

/**
 * Checks the text of a webhook URL. The addresses of its host are checked on each attempt, after
 * DNS resolution. `problem` completes the sentence "The URL …" and may be shown to the user.
 */
export function checkWebhookUrl(text: string, rules: UrlRules): UrlVerdict {
  const url = parseUrl(text);
  if (typeof url === 'string') return refuse(url);
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
  const good = { ok: true, url: url.href, protocol, host, port } as const;
  const isLiteral = isIP(host) !== 0;
  if (isLiteral || host === 'localhost') {
    const addresses = isLiteral ? [host] : LOOPBACK;
    const isAllowed = addresses.some((address) => rules.devAllow.allows(address, port));
    if (!isAllowed) {
      return refuse(isLiteral ? 'must have a name, not an address' : 'must have a public name');
    }
    return protocol === 'https:' || isLoopback(host)
      ? { ...good, isDev: true }
      : refuse('must start with https://');
  }
  if (protocol === 'http:') return refuse('must start with https://');
  const problem = problemOfName(host);
  if (problem !== null) return refuse(problem);
  if (rules.ports.includes(port)) return { ...good, isDev: false };
  return rules.devAllow.hasPort(port)
    ? { ...good, isDev: true }
    : refuse(`must use port ${rules.ports.join(' or ')}`);
}

/** `localhost` is never resolved by DNS. */
export const LOOPBACK = ['127.0.0.1', '::1'] as const;

/** Returns true if a delivery may connect to a resolved address. */
export function mayConnect(address: string, port: number, rules: UrlRules): boolean {
  if (isDenied(address, rules)) return false;
  if (rules.devAllow.allows(address, port)) return true;
  return rules.ports.includes(port) && forbiddenAddress(address) === null;
}

/** Returns true if the operator has excluded the network of the address. */
export function isDenied(address: string, { denied = [] }: UrlRules): boolean {
  const parsed = denied.length === 0 ? null : parseAddress(address);
  return parsed !== null && denied.some((range) => isInside(parsed, range));
}

/**
 * Returns the URL. If the text is ambiguous or invalid, returns the problem as the end of a
 * sentence.
 */
function parseUrl(text: string): URL | string {
  if (text.length > URL_LENGTH_MAX) return `must have at most ${URL_LENGTH_MAX} characters`;
  // The URL parser silently drops or rewrites these characters, so two parsers could disagree.
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'must hold no blanks, backslashes or controls';
  if (!/^https?:\/\/[^/]/i.test(text)) return 'must start with https://';
  if (!URL.canParse(text)) return 'must be a URL such as https://hooks.example.com/earnings';
  // Checked in the original text, because the URL parser drops an empty fragment or user name.
  if (text.includes('#')) return 'must have no fragment (#)';
  const url = new URL(text);
  const authority = /^https?:\/\/([^/?]*)/i.exec(text)?.[1] ?? '';
  if (authority.includes('@') || url.username !== '' || url.password !== '') {
    return 'must hold no user name or password';
  }
  if (url.href.length > URL_LENGTH_MAX) return `must have at most ${URL_LENGTH_MAX} characters`;
  return url;
}

function problemOfName(name: string): string | null {
  if (name.endsWith('.')) return 'must have a name without a dot at its end';
  const labels = name.split('.');
  if (labels.length < 2) return 'must have a public name of at least two parts';
  if (name.length > NAME_LENGTH_MAX || !labels.every(isLabel)) return 'must have a name of DNS';
  if (LOCAL_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) {
    return 'must have a public name';
  }
  return null;
}

/**
 * Returns true for a label of letters, digits and inner hyphens. Certificates are issued only for
 * names with such labels.
 */
function isLabel(label: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return parseAddress(host) !== null && forbiddenAddress(host) === 'loopback';
}

function refuse(problem: string): UrlVerdict {
  return { ok: false, problem };
}
