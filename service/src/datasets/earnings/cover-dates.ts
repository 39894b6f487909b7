import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { sessionOf } from '../../domain/market/session-of.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { SessionMarker } from './observation.ts';
import { copyCandidates, type Derivation, type MatchedFiling } from './report-candidate.ts';
import { releaseDayBefore } from './results-filings.ts';
import { firmDates } from './scheduled-reports.ts';

/** Habits change over the years, so only reports of about two years on either side count. */
const HABIT_DAYS_MAX = 800;

/**
 * Dates reports whose filing followed on the next morning. The cover page has the previous trading
 * day in two cases: the release came out that evening, or the company uses the day of an earlier
 * decision. A calendar decides, or else the company's reports before and after this one that were
 * filed on the day of their cover page: if they came after the close, so did this one. Reports that
 * are already dated by their cover page get the same session.
 */
export function dateByCoverPages(derivation: Derivation): Derivation {
  const candidates = copyCandidates(derivation.candidates);
  const reports = [...candidates.values()].flatMap(({ filing }) => filing ?? []);
  const scheduledDays = firmDates(derivation.calendars);
  const { market } = derivation.input;
  for (const candidate of candidates.values()) {
    const { filing } = candidate;
    if (filing === null) continue;
    const isDated = filing.releaseSession !== null;
    const date = isDated ? filing.date : eveningBefore(filing, market);
    if (date === null) continue;
    const isScheduled = scheduledDays.has(date) && !scheduledDays.has(filing.date);
    const isRefuted = scheduledDays.has(filing.date) && !scheduledDays.has(date);
    const session = usualSession(filing, reports);
    if (isDated) {
      if (session !== null) candidate.filing = { ...filing, releaseSession: session };
    } else if (isScheduled || (session === 'time-after-hours' && !isRefuted)) {
      candidate.filing = { ...filing, date, releaseSession: 'time-after-hours' };
    }
  }
  return { ...derivation, candidates };
}

/**
 * Returns the trading day before a filing that was accepted before the open, if its cover page has
 * that day. A filing without a settled time may have been accepted before the open.
 */
function eveningBefore(filing: MatchedFiling, market: MarketCalendar): LocalDate | null {
  if (filing.at !== null && sessionOf(filing.at) !== 'time-pre-market') return null;
  const date = releaseDayBefore(filing, market);
  return date === market.previousTradingDay(filing.date) ? date : null;
}

/**
 * Returns the session of the company's reports before and after the filing that were filed on the
 * day of their cover page. Returns null if there are none or if they differ.
 */
function usualSession(
  { date }: MatchedFiling,
  reports: readonly MatchedFiling[],
): SessionMarker | null {
  const sessions = reports.flatMap((report) => {
    const { at, coverDate } = report;
    const days = daysBetween(date, report.date);
    if (at === null || coverDate !== newYorkDate(at) || Math.abs(days) > HABIT_DAYS_MAX) return [];
    const session = sessionOf(at);
    return session === 'time-during-market' ? [] : [{ days, session }];
  });
  sessions.sort((a, b) => a.days - b.days);
  const before = sessions.findLast(({ days }) => days < 0)?.session;
  const after = sessions.find(({ days }) => days > 0)?.session;
  const session = before ?? after ?? null;
  return session === (after ?? session) ? session : null;
}
