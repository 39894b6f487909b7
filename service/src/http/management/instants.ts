import { formatInstant, type Instant, parseInstant } from '../../platform/instant.ts';
import { rejectInvalid } from './refusals.ts';
import type { CallResult } from './route.ts';

export function formatOptional(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** Parses an optional timestamp in a query. */
export function readInstant(
  text: string | undefined,
  parameter: string,
): { instant: Instant | undefined } | { rejected: CallResult } {
  if (text === undefined) return { instant: undefined };
  const instant = parseInstant(text);
  if (instant !== null) return { instant };
  const detail = 'must be a timestamp such as 2026-11-20T15:30:00Z';
  return { rejected: rejectInvalid(parameter, detail) };
}

/** Parses `from` and `to` in a query. Defaults to the last `daysDefault` days. */
export function readRange(
  { from, to }: { from?: string; to?: string },
  { now, daysDefault, daysMax }: { now: Instant; daysDefault: number; daysMax: number },
): { from: Instant; to: Instant } | { rejected: CallResult } {
  const parsedTo = readInstant(to, 'to');
  if ('rejected' in parsedTo) return parsedTo;
  const parsedFrom = readInstant(from, 'from');
  if ('rejected' in parsedFrom) return parsedFrom;
  const end = parsedTo.instant ?? now;
  const start = parsedFrom.instant ?? end - daysDefault * DAY_MS;
  const days = (end - start) / DAY_MS;
  if (days > 0 && days <= daysMax) return { from: start, to: end };
  const detail = `must be before \`to\`, by at most ${daysMax} days`;
  return { rejected: rejectInvalid('from', detail) };
}

const DAY_MS = 86_400_000;
