import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import type { ReportCandidate } from './report-candidate.ts';
import { resultIn, type Release } from './release.ts';

/**
 * Whether nothing but a guess of before tells the day, and the market was closed on it: results that
 * are out by now did not come then.
 */
export function isRefutedGuess(
  candidate: ReportCandidate,
  release: Release,
  market: MarketCalendar,
): boolean {
  const isOut = candidate.financials !== null && release.reportedAt === null;
  if (!isOut || candidate.filing !== null || market.isTradingDay(release.date)) return false;
  const dayAt = newYorkInstant(release.date, 0);
  return (
    candidate.figures.every(({ observations }) =>
      observations.every((one) => resultIn(one.fields) === null),
    ) &&
    candidate.calendars.every(
      ({ observations }) =>
        observations.every(({ at, fields }) => at > 0 && at < dayAt && resultIn(fields) === null) &&
        observations.every(({ fields }) => fields.dateStatus === 'projected'),
    )
  );
}
