import type { CookieSerializeOptions } from '@fastify/cookie';
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

/** Returns the value and expiration to pass to `setCookie`. */
export function serializeCookie(change: CookieChange): { value: string; expires: Date } {
  return change === 'clear'
    ? { value: '', expires: new Date(0) }
    : { value: change.set, expires: new Date(change.expiresAt) };
}
