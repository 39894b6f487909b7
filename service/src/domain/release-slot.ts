import type { Instant } from '../platform/instant.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';
import { isTrading } from './market/market-day.ts';
import { newYorkInstant } from './new-york.ts';
import { type Release, releaseWindow } from './release-window.ts';

/** The time of a report in a calendar: all day, or a period between two instants. */
export type ReleaseSlot = { date: LocalDate } | { from: Instant; to: Instant };

/** Most reports are published within an hour and a half of the session. */
const BESIDE_SESSION_MINUTES = 90;
const EXACT_MS = 30 * 60_000;

/**
 * Returns the calendar slot for a report. A report with a known instant starts at that instant. A
 * report with a known session takes the hour and a half before the open or after the actual close,
 * or the session itself. A report with an unknown session, or on a day without one, takes the whole
 * day.
 */
export function releaseSlot(release: Release, calendar: MarketCalendar): ReleaseSlot {
  const { date, time, reportedAt } = release;
  if (reportedAt !== null && releaseWindow(release, calendar)?.reactionBasis === 'exact') {
    return { from: reportedAt, to: reportedAt + EXACT_MS };
  }
  const day = calendar.day(date);
  if (time === 'time-not-supplied' || !isTrading(day)) return { date };
  const { open, close } = day;
  const [from, to] = {
    'time-pre-market': [open - BESIDE_SESSION_MINUTES, open],
    'time-during-market': [open, close],
    'time-after-hours': [close, close + BESIDE_SESSION_MINUTES],
  }[time];
  return { from: newYorkInstant(date, from ?? open), to: newYorkInstant(date, to ?? close) };
}
