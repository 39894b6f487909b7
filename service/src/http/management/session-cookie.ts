import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Instant } from '../../platform/instant.ts';
import type { CookieChange } from './route.ts';

/**
 * The session cookie is hidden from scripts and is not sent with cross-site changes. Over HTTPS it
 * is `Secure`, and its `__Host-` prefix prevents sibling subdomains from setting it.
 */
export interface SessionCookie {
  name: string;
  options: CookieSerializeOptions;
}

export function sessionCookie(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith('https:');
  return {
    name: secure ? '__Host-session' : 'session',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
}

/**
 * Returns the value and lifetime to pass to `setCookie`. The lifetime is a number of seconds, because
 * a browser compares a date with its own clock, which may differ from the service's.
 */
export function serializeCookie(
  change: CookieChange,
  now: Instant,
): { value: string; lifetime: CookieSerializeOptions } {
  if (change === 'clear') return { value: '', lifetime: { maxAge: 0, expires: new Date(0) } };
  const seconds = Math.floor((change.expiresAt - now) / 1000);
  return { value: change.set, lifetime: { maxAge: Math.max(0, seconds) } };
}
