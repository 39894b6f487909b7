import { type Command, Option } from 'commander';
import { parseLocalDate } from '../domain/local-date.ts';
import { type Instant, parseInstant } from '../platform/instant.ts';
import { CliError } from './command.ts';

export function addJsonOption(command: Command): Command {
  return command.option('--json', 'Print JSON');
}

/** Creates an option whose value is a date. */
export function dayOption(form: string, description: string): Option {
  return new Option(form, description).argParser((text) => {
    const day = parseLocalDate(text);
    if (day === null) throw new CliError(`${text} is not a date; use YYYY-MM-DD`);
    return day;
  });
}

/** Parses `a,b` into `['a', 'b']`. */
export function readList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Parses an expiry: `30d`, `12h` or `90m` from now, an RFC 3339 instant, or `never`. */
export function readExpiry(text: string, now: Instant): Instant | null {
  if (text === 'never') return null;
  const durationMs = parseDurationMs(text);
  const expiresAt = durationMs === null ? parseInstant(text) : now + durationMs;
  if (expiresAt !== null) return expiresAt;
  throw new CliError(`${text} is not a time; use 30d, 12h, 90m, never or 2027-01-31T00:00:00Z`);
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `30d`, `12h` or `90m`. Returns null for any other text. */
export function parseDurationMs(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (UNITS_MS[unit] ?? 0);
}
