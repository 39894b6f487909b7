import { expect, it } from 'vitest';
import { addDays, localDate, weekdayOf } from '../../../domain/local-date.ts';
import { marketCalendar } from '../../../domain/market/calendar.ts';
import { newYorkInstant } from '../../../domain/new-york.ts';
import { EconomicCalendar, type EconomicView } from './economic-calendar.ts';
import { tradingDays } from './trading-days.ts';

const { isTradingDay } = marketCalendar();
const economy = new EconomicCalendar(1, tradingDays(isTradingDay).atOrBefore);
const FIRST = localDate('2026-01-01');
const LAST = localDate('2026-12-31');
const NOW = newYorkInstant(localDate('2026-11-20'), 10 * 60);

function seenEvents(from = FIRST, to = LAST, at = NOW): EconomicView[] {
  return economy.views(from, to, at);
}

it('schedules economic releases on every trading day and on no other day', () => {
  const days = new Set(seenEvents().map(({ date }) => date));
  for (let day = FIRST; day <= LAST; day = addDays(day, 1)) {
    if (isTradingDay(day) && weekdayOf(day) > 0) expect([day, days.has(day)]).toEqual([day, true]);
    else expect([day, days.has(day)]).toEqual([day, false]);
  }
});

it('schedules major releases on their usual weekdays, or on the trading day before a holiday', () => {
  const weekdays = (name: string) =>
    new Set(seenEvents().flatMap((event) => (event.name === name ? [weekdayOf(event.date)] : [])));
  expect(weekdays('Initial Jobless Claims')).toEqual(new Set([4, 3]));
  expect(weekdays('Nonfarm Payrolls')).toEqual(new Set([5, 4]));
  expect(weekdays('CPI')).toEqual(new Set([3]));
});

it('shows no figure before its release, and uses released figures as the previous ones', () => {
  const claims = seenEvents().filter(({ name }) => name === 'Initial Jobless Claims');
  for (const [i, event] of claims.entries()) {
    const isReleased = newYorkInstant(event.date, 8 * 60 + 30) <= NOW;
    expect([event.date, event.actual !== null]).toEqual([event.date, isReleased]);
    const previous = claims[i - 1];
    if (previous !== undefined) expect(event.previous).toBe(previous.actual);
  }
});

it('returns the same economic events whether changes are read in steps or all at once', () => {
  const from = newYorkInstant(localDate('2026-10-01'), 0);
  const key = (event: EconomicView): string => `${event.date} ${event.name} ${event.measure ?? ''}`;
  const earlier = new Map(seenEvents(FIRST, LAST, from).map((event) => [key(event), event]));
  for (let at = from; at < NOW; at += 3_600_000) {
    const to = Math.min(at + 3_600_000, NOW);
    for (const event of economy.changed(at, to))
      if (event.date <= LAST) earlier.set(key(event), event);
  }
  expect([...earlier.values()]).toEqual(seenEvents());
});

it('includes every economic release since the last read after a long absence', () => {
  const from = newYorkInstant(localDate('2026-02-01'), 0);
  const expected = new Set(economy.changed(from, NOW).map(({ date, name }) => `${date} ${name}`));
  for (const { date, name, actual } of seenEvents(localDate('2026-02-02'), LAST)) {
    if (actual !== null) expect(expected).toContain(`${date} ${name}`);
  }
});
