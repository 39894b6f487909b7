/** Returns the minutes since midnight for an `HH:MM` literal in code. Throws for anything else. */
export function clockTime(text: string): number {
  const minutes = parseClockTime(text);
  if (minutes === null) throw new RangeError(`not a clock time: ${text}`);
  return minutes;
}

/**
 * Returns the minutes since midnight for `HH:MM` from 00:00 to 23:59, or null for anything else.
 */
export function parseClockTime(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

/** Formats minutes since midnight as `HH:MM`. */
export function formatClockTime(minutes: number): string {
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  return `${hours}:${String(minutes % 60).padStart(2, '0')}`;
}
