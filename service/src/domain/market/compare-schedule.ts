import type { LocalDate } from '../local-date.ts';
import type { MarketCalendar } from './calendar.ts';
import { formatClockTime } from './clock-time.ts';
import { isTrading, type TradingDay } from './market-day.ts';

/**
 * The market schedule that a source states for one session. Clock times are minutes since New York
 * midnight; null if the source does not state them.
 */
export interface StatedSchedule {
  /** Day of the stated session: the current one, or the next one outside of trading days. */
  date: LocalDate;
  preMarketOpen: number | null;
  open: number | null;
  close: number | null;
  afterHoursClose: number | null;
  previousTradingDay: LocalDate | null;
  nextTradingDay: LocalDate | null;
  /** The New York day of the statement, and whether the source calls it a trading day. */
  today: { date: LocalDate; isTradingDay: boolean } | null;
}

const TIMES = ['preMarketOpen', 'open', 'close', 'afterHoursClose'] as const;

/**
 * Returns the differences between a stated and the computed schedule, in words; empty if they agree.
 * A session on a day that the source itself calls closed is not compared, because sources differ in
 * the session that they show then.
 */
export function compareSchedule(stated: StatedSchedule, market: MarketCalendar): string[] {
  const { date, today, previousTradingDay, nextTradingDay } = stated;
  const differences: string[] = [];
  if (today !== null && today.isTradingDay !== market.isTradingDay(today.date)) {
    const [source, own] = today.isTradingDay ? ['open', 'closed'] : ['closed', 'open'];
    differences.push(`${today.date} is ${source} for the source, ${own} in the calendar`);
  }
  if (today?.isTradingDay === false) return differences;
  const day = market.day(date);
  if (!isTrading(day)) {
    return [...differences, `${date} has a session for the source, none in the calendar`];
  }
  differences.push(...TIMES.flatMap((time) => compareTime(stated, day, time)));
  const neighbors = [
    ['previous', previousTradingDay, market.previousTradingDay(date)],
    ['next', nextTradingDay, market.nextTradingDay(date)],
  ] as const;
  for (const [name, theirs, own] of neighbors) {
    if (theirs !== null && theirs !== own) {
      differences.push(
        `the ${name} trading day is ${theirs} for the source, ${own} in the calendar`,
      );
    }
  }
  return differences;
}

function compareTime(
  stated: StatedSchedule,
  day: TradingDay,
  time: (typeof TIMES)[number],
): string[] {
  const [theirs, own] = [stated[time], day[time]];
  if (theirs === null || theirs === own) return [];
  const [source, calendar] = [formatClockTime(theirs), formatClockTime(own)];
  return [`${day.date} ${time} is ${source} for the source, ${calendar} in the calendar`];
}
