import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { newYorkTimeOfDayMs } from '../../domain/new-york.ts';
import type { PlanContext } from '../provider.ts';

const HOUR_MS = 3_600_000;
/** Requests before this New York time fetch figures that were missed on earlier days. */
const NIGHT_ENDS_AT_MS = 6 * HOUR_MS;
/** During the day, only figures of today and yesterday are fetched. */
const DAYS_BACK = 1;

/** Returns true if a release of the event is due and the agencies' figure is missing. */
export function awaitsFigure(context: PlanContext, stem: string): boolean {
  return awaitedDays(context, stem).length > 0;
}

/**
 * Returns the days of the event's releases that are due and whose figures are missing, newest first.
 * A figure that was missed for longer than a day is fetched at night.
 */
export function awaitedDays(context: PlanContext, stem: string): LocalDate[] {
  const { now, today, awaitedFigures = [] } = context;
  const isNight = newYorkTimeOfDayMs(now) < NIGHT_ENDS_AT_MS;
  const from = addDays(today, -DAYS_BACK);
  const days = awaitedFigures
    .filter(({ provider, date, ...awaited }) => {
      return awaited.stem === stem && provider !== 'us-agencies' && (isNight || date >= from);
    })
    .map(({ date }) => date);
  return [...new Set(days)].toSorted().toReversed();
}
