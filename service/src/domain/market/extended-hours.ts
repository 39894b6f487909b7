import { clockTime } from './clock-time.ts';

/**
 * Extended hours. Today's convention is used for every year: the pre-market lasts from 04:00 until
 * the open, and after-hours trading until 20:00, or for four hours after an early close. Extended
 * trading didn't exist before electronic markets, but one rule for all years keeps replays of old
 * dates consistent.
 */
export const PRE_MARKET_OPEN = clockTime('04:00');

const AFTER_HOURS_CLOSE = clockTime('20:00');
const AFTER_EARLY_CLOSE_MINUTES = 4 * 60;

/** Returns the end of after-hours trading for a session that ends at `close`. */
export function afterHoursClose(close: number, isEarly: boolean): number {
  return isEarly ? close + AFTER_EARLY_CLOSE_MINUTES : AFTER_HOURS_CLOSE;
}
