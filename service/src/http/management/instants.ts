import { formatInstant, type Instant, parseInstant } from '../../platform/instant.ts';
import { rejectInvalid } from './refusals.ts';
import type { CallResult } from './route.ts';

/** An instant as answers write it; null stays null. */
export function formatOptional(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** An optional instant of a query. */
export function readInstant(
  text: string | undefined,
  parameter: string,
): { instant: Instant | undefined } | { rejected: CallResult } {
  if (text === undefined) return { instant: undefined };
  const instant = parseInstant(text);
  if (instant !== null) return { instant };
  const detail = 'an instant such as 2026-11-20T15:30:00Z';
  return { rejected: rejectInvalid({ kind: 'invalid', parameter, detail }) };
}

/** From one instant to another: `from` and `to` of a query, with a span when they are left out. */
export function readRange(
  { from, to }: { from?: string; to?: string },
  { now, daysUsual, daysMax }: { now: Instant; daysUsual: number; daysMax: number },
): { from: Instant; to: Instant } | { rejected: CallResult } {
  const readTo = readInstant(to, 'to');
  if ('refused' in readTo) return readTo;
  const readFrom = readInstant(from, 'from');
  if ('refused' in readFrom) return readFrom;
  const end = readTo.instant ?? now;
  const start = readFrom.instant ?? end - daysUsual * DAY_MS;
  const days = (end - start) / DAY_MS;
  if (days > 0 && days <= daysMax) return { from: start, to: end };
  const detail = `before \`to\`, and at most ${daysMax} days before it`;
  return { rejected: rejectInvalid({ kind: 'invalid', parameter: 'from', detail }) };
}

const DAY_MS = 86_400_000;
