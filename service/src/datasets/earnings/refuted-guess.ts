import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import type { Draft } from './report-candidate.ts';
import { givenIn, type Release } from './release.ts';

/**
 * Whether nothing but a guess of before tells the day, and the market was closed on it: results that
 * are out by now did not come then.
 */
export function isRefutedGuess(draft: Draft, release: Release, market: MarketCalendar): boolean {
  const isOut = draft.financials !== null && release.reportedAt === null;
  if (!isOut || draft.filing !== null || market.isTradingDay(release.date)) return false;
  const dayAt = newYorkInstant(release.date, 0);
  return (
    draft.figures.every(({ observations }) =>
      observations.every((one) => givenIn(one.fields) === null),
    ) &&
    draft.calendars.every(
      ({ observations }) =>
        observations.every(({ at, fields }) => at > 0 && at < dayAt && givenIn(fields) === null) &&
        observations.every(({ fields }) => fields.dateStatus === 'projected'),
    )
  );
}
