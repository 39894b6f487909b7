import type { CookieSerializeOptions } from '@fastify/cookie';
import type { CookieChange } from './route.ts';

/**
 * The cookie of a session: no script reads it, no foreign page's change carries it, and over HTTPS
 * it never travels in clear; the prefix `__Host-` keeps neighbours on other subdomains from
 * setting it.
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

/** What to give `setCookie` for a change. */
export function serializeCookie(change: CookieChange): { value: string; expires: Date } {
  return change === 'clear'
    ? { value: '', expires: new Date(0) }
    : { value: change.set, expires: new Date(change.expiresAt) };
}
