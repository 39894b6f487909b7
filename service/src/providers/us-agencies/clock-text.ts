import { formatClockTime } from '../../domain/market/clock-time.ts';

const TWELVE_HOURS = /\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s*([ap])\.?\s?m\b/i;

/**
 * Returns the first 12-hour clock time in a text as `HH:MM`, such as `09:15` for `9:15 a.m.`. Returns
 * null if there is none.
 */
export function readTwelveHourTime(text: string): string | null {
  const [, hour, minute = '00', half] = TWELVE_HOURS.exec(text) ?? [];
  if (hour === undefined || half === undefined) return null;
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return formatClockTime(hours * 60 + Number(minute));
}
