import type { Instant } from './instant.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the earliest retry time allowed by a `Retry-After` header (RFC 9110 §10.2.3: seconds or a
 * date). The time is never before `now` and at most a day later. Returns null if the header is
 * missing or invalid.
 */
export function retryAfter(header: string | undefined, now: Instant): Instant | null {
  const text = header?.trim() ?? '';
  const at = /^\d+$/.test(text) ? now + Number(text) * 1000 : readHttpDate(text);
  if (at === null) return null;
  return Math.min(Math.max(at, now), now + DAY_MS);
}

/**
 * Parses the HTTP date formats, which begin with a day name. Returns null for anything else. All of
 * them are in GMT. The oldest format, from `asctime`, has no zone and would otherwise be parsed as
 * local time.
 */
export function readHttpDate(text: string): Instant | null {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return null;
  const at = Date.parse(/(GMT|UTC?|Z|[+-]\d{4})$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}
