import type { Instant } from '../../platform/instant.ts';
import { newYorkDate, newYorkTimeOfDayMs } from '../new-york.ts';
import { marketCalendar } from './calendar.ts';
import { regularHours } from './regular-hours.ts';

const MINUTE_MS = 60_000;
/**
 * Rules and history only: parsing responses must be pure and not depend on an operator's overrides.
 */
const calendar = marketCalendar();

/**
 * The position of an instant relative to the session of its New York day, early closes included, or
 * to regular hours on a day without one. The open counts as during the session, the close as after
 * it.
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
