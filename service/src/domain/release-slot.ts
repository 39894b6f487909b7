import type { Instant } from '../platform/instant.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';
import { isTrading } from './market/market-day.ts';
import { newYorkInstant } from './new-york.ts';
import { type Release, releaseWindow } from './release-window.ts';

/** Where a report stands in a person's calendar: all day, or from one moment to another. */
export type ReleaseSlot = { date: LocalDate } | { from: Instant; to: Instant };

/** Reports come in the hour and a half next to the session, most of them. */
const BESIDE_SESSION_MINUTES = 90;
const EXACT_MS = 30 * 60_000;

/**
 * The slot of a report. A release whose moment is known begins then; one whose session is known
 * takes the hour and a half before the open or after the actual close, or the session itself; one
 * whose session no source tells, or of a day without a session, takes the day.
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
