import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';

const RECENT_DAYS = 7;

/**
 * Client cache lifetime of a day: a minute for today and tomorrow, 15 minutes for other days ahead
 * and the past week, a day for older ones.
 */
export function datedMaxAgeSeconds(date: LocalDate, now: Instant): number {
  const ahead = daysBetween(newYorkDate(now), date);
  if (ahead === 0 || ahead === 1) return 60;
  return ahead >= -RECENT_DAYS ? 900 : 86_400;
}
