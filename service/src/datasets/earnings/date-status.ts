import { newYorkInstant } from '../../domain/new-york.ts';
import { addDays } from '../../domain/local-date.ts';
import type { ReportCandidate } from './report-candidate.ts';
import type { Release } from './release.ts';
import type { DateStatus } from './row.ts';

/**
 * Returns the status of a report's date. A report whose results are known is `reported` only if a
 * source confirms its day. A projection does not, even if it came true.
 */
export function dateStatusOf(
  candidate: ReportCandidate,
  release: Release,
  { isOut, stated }: { isOut: boolean; stated: 'projected' | 'confirmed' | undefined },
): DateStatus {
  const isConfirmed = stated === 'confirmed' || isDayConfirmed(candidate, release);
  return isOut && isConfirmed ? 'reported' : (stated ?? 'projected');
}

/**
 * Returns whether a source confirms the day of a report: a filing, a release time, a calendar that
 * shows a result on the day, or one that gives its session or still lists it when it is over,
 * without calling it projected.
 */
function isDayConfirmed({ filing, calendars }: ReportCandidate, release: Release): boolean {
  if (filing !== null || release.reportedAt !== null) return true;
  const overAt = newYorkInstant(addDays(release.date, 1), 0);
  return calendars.some(({ observations }) =>
    observations.some(({ at, fields }) => {
      if (fields.date !== release.date) return false;
      if (fields.eps != null || fields.revenue != null) return true;
      return (
        fields.dateStatus !== 'projected' && (at >= overAt || fields.time !== 'time-not-supplied')
      );
    }),
  );
}
