import type { Instant } from './instant.ts';

const DAY_MS = 86_400_000;

/**
 * When a `Retry-After` header (RFC 9110 §10.2.3: seconds or a date) lets us ask again: never before
 * `now`, at most a day later. Null when there is no header or it says nothing readable.
 */
export function retryAfter(header: string | undefined, now: Instant): Instant | null {
  const text = header?.trim() ?? '';
  const at = /^\d+$/.test(text) ? now + Number(text) * 1000 : readHttpDate(text);
  if (at === null) return null;
  return Math.min(Math.max(at, now), now + DAY_MS);
}

/**
 * An instant in one of the date forms of HTTP, which begin with the name of a day; null for anything
 * else, even if it parses. All are in GMT; the oldest form, that of `asctime`, does not say so, and would
 * be read by the clock on this machine's wall.
 */
export function readHttpDate(text: string): Instant | null {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return null;
  const at = Date.parse(/(GMT|UTC?|Z|[+-]\d{4})$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}
