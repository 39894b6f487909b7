import { type Bar, meanVolume } from './bars.ts';
import {
  closeOf,
  dayAfter,
  inNewYork,
  nextSession,
  sessionBefore,
  sessionsFrom,
  trades,
} from './days.ts';
import { compare, type Exact, exactOf, over, times } from './exact.ts';
import type { RawEvent } from './raw-facts.ts';

export interface Window {
  basis: 'exact' | 'session' | 'intraday' | 'inferred' | 'assumed';
  base: Bar | null;
  first: Bar | null;
  /** The first session in which prices could react, whether or not it has a bar. */
  firstDay: string;
}

/** Returns the close and the session between which the reaction to a report is measured. */
export function windowOf(
  event: RawEvent,
  bars: readonly Bar[],
  completed: string,
  infers = true,
): Window {
  const { basis, firstDay } = answerDay(event, infers ? bars : [], completed);
  const baseDay = sessionBefore(firstDay);
  let base: Bar | null = null;
  for (const bar of bars) if (bar.date <= baseDay && bar.date <= completed) base = bar;
  if (base !== null && sessionsFrom(base.date, 10) < baseDay) base = null;
  if (baseDay > completed) base = null;
  const session = bars.find((bar) => bar.date >= firstDay) ?? null;
  const first = session !== null && session.date <= sessionsFrom(firstDay, 10) ? session : null;
  return { basis, base, first, firstDay: first?.date ?? firstDay };
}

function answerDay(
  event: RawEvent,
  bars: readonly Bar[],
  completed: string,
): { basis: Window['basis']; firstDay: string } {
  const { date, time, reportedAt } = event;
  const isMarked = time !== 'time-not-supplied';
  if (reportedAt !== null && !(isMarked && event.ahead && isAfterSession(reportedAt, date, time))) {
    const local = inNewYork(reportedAt);
    const isBeforeClose = trades(local.date) && local.time < closeOf(local.date);
    return { basis: 'exact', firstDay: isBeforeClose ? local.date : nextSession(local.date) };
  }
  const ownSession = trades(date) ? date : nextSession(date);
  if (time === 'time-after-hours') return { basis: 'session', firstDay: nextSession(date) };
  if (time === 'time-pre-market') return { basis: 'session', firstDay: ownSession };
  if (time === 'time-during-market') {
    return { basis: trades(date) ? 'intraday' : 'session', firstDay: ownSession };
  }
  const after = nextSession(ownSession);
  const over150 = exactOf('1.5');
  const [current, next] = [
    relativeVolume(bars, ownSession, completed),
    relativeVolume(bars, after, completed),
  ];
  if (current !== null && next !== null) {
    const isCurrentHigh =
      compare(current, over150) >= 0 && compare(current, times(next, over150)) >= 0;
    const isNextHigh = compare(next, over150) >= 0 && compare(next, times(current, over150)) >= 0;
    if (isCurrentHigh) return { basis: 'inferred', firstDay: ownSession };
    if (isNextHigh) return { basis: 'inferred', firstDay: after };
  }
  return { basis: 'assumed', firstDay: nextSession(date) };
}

/** Checks whether an instant is after the end of the session that `date` and `time` identify. */
function isAfterSession(at: number, date: string, time: string): boolean {
  const moment = inNewYork(at);
  if (time === 'time-after-hours' || !trades(date)) return moment.date >= dayAfter(date);
  const end = time === 'time-pre-market' ? '09:30' : closeOf(date);
  return moment.date > date || (moment.date === date && moment.time >= end);
}

function relativeVolume(bars: readonly Bar[], date: string, completed: string): Exact | null {
  if (date > completed) return null;
  const bar = bars.find((candidate) => candidate.date === date);
  const mean = meanVolume(bars, sessionBefore(date));
  if (bar === undefined || bar.volume === null || mean === null || mean.over === 0n) return null;
  return over(bar.volume, mean);
}
