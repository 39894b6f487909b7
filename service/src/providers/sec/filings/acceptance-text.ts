import { type LocalDate, makeLocalDate, toEpochDay } from '../../../domain/local-date.ts';
import { newYorkInstant } from '../../../domain/new-york.ts';
import type { AcceptanceReading } from '../../../domain/settle-filings.ts';
import { type Instant, parseInstant } from '../../../platform/instant.ts';

const PUNCTUATED = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{3}))?Z?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;
const OFFSET = /[+-]\d{2}:\d{2}$/;

interface WallClock {
  date: LocalDate;
  minuteOfDay: number;
  msOfMinute: number;
}

/**
 * Parses an acceptance time from EDGAR's JSON: `2026-01-29T16:30:33.000Z`, `2026-01-29 16:30:33` or
 * `20260129163033`. Each format is read both as UTC and as New York time, since EDGAR also writes
 * `Z` for New York time. Only a numeric offset makes a time certain. Returns null for other text
 * and for impossible times.
 */
export function parseAcceptance(text: string): AcceptanceReading | null {
  if (OFFSET.test(text)) {
    const acceptedAt = parseInstant(text);
    return acceptedAt === null ? null : { certain: acceptedAt };
  }
  const clock = readWallClock(text);
  if (clock === null) return null;
  return { ifNewYork: onNewYorkClock(clock), ifUtc: onUtcClock(clock) };
}

/**
 * Parses an acceptance time from a filing's index page or header, which is always New York time.
 */
export function parseNewYorkAcceptance(text: string): Instant | null {
  const clock = readWallClock(text);
  return clock === null ? null : onNewYorkClock(clock);
}

function readWallClock(text: string): WallClock | null {
  const match = PUNCTUATED.exec(text) ?? COMPACT.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  const date = makeLocalDate(year, month, day);
  if (date === null || hour > 23 || minute > 59 || second > 59) return null;
  return { date, minuteOfDay: hour * 60 + minute, msOfMinute: second * 1000 + ms };
}

function onNewYorkClock({ date, minuteOfDay, msOfMinute: cooldownMs }: WallClock): Instant {
  return newYorkInstant(date, minuteOfDay) + cooldownMs;
}

function onUtcClock({ date, minuteOfDay, msOfMinute: cooldownMs }: WallClock): Instant {
  return toEpochDay(date) * 86_400_000 + minuteOfDay * 60_000 + cooldownMs;
}
