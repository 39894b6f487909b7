import type { Instant } from '../../platform/instant.ts';
import { newYorkDate, newYorkTimeOfDayMs } from '../new-york.ts';
import { marketCalendar } from './calendar.ts';
import { regularHours } from './regular-hours.ts';

const MINUTE_MS = 60_000;
/** By rules and history alone: what reads answers is pure, and sees no operator's overrides. */
const calendar = marketCalendar();

/**
 * Where an instant lies to the session of its New York day, an early close included; to regular hours
 * on a day without any. The open itself is during the session, the close after it.
 */
export function sessionOf(
  at: Instant,
): 'time-pre-market' | 'time-during-market' | 'time-after-hours' {
  const date = newYorkDate(at);
  const regular = regularHours(date);
  const { open, close } = calendar.day(date);
  const minute = newYorkTimeOfDayMs(at) / MINUTE_MS;
  if (minute < (open ?? regular.open)) return 'time-pre-market';
  return minute >= (close ?? regular.close) ? 'time-after-hours' : 'time-during-market';
}
