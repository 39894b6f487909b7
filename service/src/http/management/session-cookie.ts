import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Instant } from '../../platform/instant.ts';
import type { CookieChange } from './route.ts';

/**
 * The session cookie is hidden from scripts and is not sent with cross-site changes. Over HTTPS it
 * is `Secure`, and its `__Host-` prefix prevents sibling subdomains from setting it. Over HTTP, the
 * name has the product and the port, because a browser sends it to services on all ports of the host.
 */
export interface SessionCookie {
  name: string;
  options: CookieSerializeOptions;
}

export function sessionCookie(publicUrl: string): SessionCookie {
  // The committed API description has no address and shows the secure name.
  const secure = !publicUrl.startsWith('http:');
  return {
    name: secure ? '__Host-session' : `afterbell-session-${new URL(publicUrl).port || '80'}`,
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
