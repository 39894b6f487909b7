import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import { latest } from '../source-records/observation-history.ts';
import type { CalendarHistory, Candidates, ReportCandidate } from './report-candidate.ts';

/** A filing within this many days of a scheduled report belongs to that report. */
const SAME_REPORT_DAYS_MAX = 2;

/** A report that a calendar schedules near a day. */
export interface NearReport {
  candidate: ReportCandidate;
  date: LocalDate;
  days: number;
  /** False if only projections have a date that near. */
  isFirm: boolean;
}

/** Returns the report that any calendar schedules nearest to the day, at most two days away. */
export function nearestScheduled(candidates: Candidates, day: LocalDate): NearReport | null {
  const near = [...candidates.values()].flatMap((candidate): NearReport[] => {
    const dates = nearDates(candidate.calendars, day);
    const [first] = dates;
    if (first === undefined) return [];
    return [{ candidate, ...first, isFirm: dates.some(({ isFirm }) => isFirm) }];
  });
  near.sort((a, b) => a.days - b.days || compareText(a.candidate.label, b.candidate.label));
  return near[0] ?? null;
}

/** Returns the dates that the calendars schedule at most two days away, the nearest first. */
export function nearDates(
  calendars: readonly CalendarHistory[],
  day: LocalDate,
): Omit<NearReport, 'candidate'>[] {
  return calendars
    .map((history) => {
      const { date, dateStatus } = latest(history).fields;
      return { date, days: Math.abs(daysBetween(date, day)), isFirm: dateStatus !== 'projected' };
    })
    .filter(({ days }) => days <= SAME_REPORT_DAYS_MAX)
    .toSorted((a, b) => a.days - b.days || compareText(a.date, b.date));
}

/** Returns the dates that a calendar has as more than a projection. */
export function firmDates(calendars: readonly CalendarHistory[]): Set<LocalDate> {
  const fields = calendars.map((history) => latest(history).fields);
  return new Set(
    fields.filter(({ dateStatus }) => dateStatus !== 'projected').map(({ date }) => date),
  );
}
