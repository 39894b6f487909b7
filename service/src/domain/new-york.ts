import type { Instant } from '../platform/instant.ts';
import { addDays, fromEpochDay, type LocalDate, toEpochDay } from './local-date.ts';

/**
 * Converts between instants and New York civil time. Clock changes are taken from the platform's
 * time zone data. They are found by bisection once per year and cached, so a lookup takes
 * nanoseconds; formatting through Intl takes microseconds per call.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Change {
  at: Instant;
  offsetMinutes: number;
}

const changesByYear = new Map<number, Change[]>();
const formatter = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  timeZoneName: 'longOffset',
});

/** Returns the minutes to add to UTC: -300 in winter, -240 in summer. */
export function newYorkOffsetMinutes(at: Instant): number {
  const year = new Date(at).getUTCFullYear();
  let changes = changesByYear.get(year);
  if (changes === undefined) changesByYear.set(year, (changes = findChanges(year)));
  let offset = 0;
  for (const change of changes) {
    if (change.at > at) break;
    offset = change.offsetMinutes;
  }
  return offset;
}

/** Returns the New York date at an instant. */
export function newYorkDate(at: Instant): LocalDate {
  return fromEpochDay(Math.floor((at + newYorkOffsetMinutes(at) * MINUTE_MS) / DAY_MS));
}

/** Returns the next midnight in New York, when "today" becomes another day. */
export function nextNewYorkMidnight(now: Instant): Instant {
  return newYorkInstant(addDays(newYorkDate(now), 1), 0);
}

/** Returns the milliseconds since New York midnight, as shown by the wall clock at the instant. */
export function newYorkTimeOfDayMs(at: Instant): number {
  const local = at + newYorkOffsetMinutes(at) * MINUTE_MS;
  return local - Math.floor(local / DAY_MS) * DAY_MS;
}

/**
 * Returns the instant when New York clocks show `minuteOfDay` on `date`. A time skipped in spring
 * maps to the instant equally far after the clock change. A time repeated in autumn maps to its
 * first occurrence.
 */
export function newYorkInstant(date: LocalDate, minuteOfDay: number): Instant {
  const asUtc = toEpochDay(date) * DAY_MS + minuteOfDay * MINUTE_MS;
  const before = newYorkOffsetMinutes(asUtc - DAY_MS);
  const after = newYorkOffsetMinutes(asUtc + DAY_MS);
  const first = asUtc - Math.max(before, after) * MINUTE_MS;
  const second = asUtc - Math.min(before, after) * MINUTE_MS;
  if (showsLocal(first, asUtc)) return first;
  return showsLocal(second, asUtc) ? second : asUtc - before * MINUTE_MS;
}

/** Formats an instant as RFC 3339 with its New York offset, such as `2026-11-20T09:30:00-05:00`. */
export function formatNewYork(at: Instant): string {
  const offset = newYorkOffsetMinutes(at);
  const local = new Date(at + offset * MINUTE_MS).toISOString().slice(0, 19);
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

function showsLocal(at: Instant, localAsUtc: number): boolean {
  return at + newYorkOffsetMinutes(at) * MINUTE_MS === localAsUtc;
}

function findChanges(year: number): Change[] {
  const start = Date.UTC(year, 0, 1);
  const changes: Change[] = [{ at: start, offsetMinutes: readOffset(start) }];
  for (let month = 0; month < 12; month++) {
    let low = Date.UTC(year, month, 1);
    let high = Date.UTC(year, month + 1, 1);
    const to = readOffset(high);
    if (readOffset(low) === to) continue;
    while (high - low > MINUTE_MS) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
      if (readOffset(middle) === to) high = middle;
      else low = middle;
    }
    changes.push({ at: high, offsetMinutes: to });
  }
  return changes;
}

function readOffset(at: Instant): number {
  const text = formatter.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value;
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(text ?? '');
  if (match === null) throw new Error(`unexpected time zone text: ${text}`);
  if (match[1] === undefined) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}
