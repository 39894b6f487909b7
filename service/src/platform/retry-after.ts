import type { Instant } from './instant.ts';

const DAY_MS = 86_400_000;

/**
 * The earliest retry allowed by a `Retry-After` header (RFC 9110 §10.2.3: seconds or a date): not
 * before `now`, at most a day later. Null if the header is missing or invalid.
 */
export function retryAfter(header: string | undefined, now: Instant): Instant | null {
  const text = header?.trim() ?? '';
  const at = /^\d+$/.test(text) ? now + Number(text) * 1000 : readHttpDate(text);
  if (at === null) return null;
  return Math.min(Math.max(at, now), now + DAY_MS);
}

/**
 * Parses the date formats of HTTP, which begin with a day name; null for anything else. All are in
 * GMT. The oldest, that of `asctime`, has no zone and would otherwise be read in local time.
 */
export function readHttpDate(text: string): Instant | null {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return null;
  const at = Date.parse(/(GMT|UTC?|Z|[+-]\d{4})$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}
