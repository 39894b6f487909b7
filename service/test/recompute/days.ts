import { readFileSync } from 'node:fs';

/** Weekdays on which the exchange was closed or closed early, from the tables. */
const SPECIAL = new Map(
  readFileSync(new URL('../../../vectors/market-days/days.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([date = '', status = '', , close = '']) => [date, { status, close }] as const),
);

export function dayAfter(date: string, days = 1): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

export function trades(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && SPECIAL.get(date)?.status !== 'closed';
}

export function nextSession(date: string): string {
  let day = dayAfter(date);
  while (!trades(day)) day = dayAfter(day);
  return day;
}

export function sessionBefore(date: string): string {
  let day = dayAfter(date, -1);
  while (!trades(day)) day = dayAfter(day, -1);
  return day;
}

/** Returns the session that is `count` sessions after `date`, or before it if negative. */
export function sessionsFrom(date: string, count: number): string {
  let day = date;
  for (let remaining = count; remaining > 0; remaining--) day = nextSession(day);
  for (let remaining = count; remaining < 0; remaining++) day = sessionBefore(day);
  return day;
}

/** Returns the time at which the day's session ends in New York, as `HH:MM`. */
export function closeOf(date: string): string {
  const special = SPECIAL.get(date);
  return special?.status === 'early' ? special.close : '16:00';
}

const CLOCK = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Returns the New York date and `HH:MM` for an instant in milliseconds. */
export function inNewYork(day: number): { date: string; time: string } {
  const parts = new Map(CLOCK.formatToParts(day).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}
