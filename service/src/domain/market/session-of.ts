import type { Instant } from '../../platform/instant.ts';
import { newYorkDate, newYorkTimeOfDayMs } from '../new-york.ts';
import { marketCalendar } from './calendar.ts';
import { regularHours } from './regular-hours.ts';

const MINUTE_MS = 60_000;
/**
 * This calendar has no overrides, because parsing responses must be deterministic and not depend on
 * an operator's overrides.
 */
const calendar = marketCalendar();

/**
 * Returns the position of an instant relative to the session on its New York day, including early
 * closes, or relative to regular hours on a day without a session. The open is part of the session;
 * the close is after it.
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
