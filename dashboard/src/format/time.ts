/** Formats instants in the viewer's time zone and in New York time. */

const NEW_YORK = 'America/New_York';

const DAY_AND_TIME: Intl.DateTimeFormatOptions = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};

const here = new Intl.DateTimeFormat(undefined, { ...DAY_AND_TIME, timeZoneName: 'short' });
const newYork = new Intl.DateTimeFormat('en-US', {
  ...DAY_AND_TIME,
  timeZone: NEW_YORK,
});
const newYorkTime = new Intl.DateTimeFormat('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: NEW_YORK,
});
const newYorkDay = new Intl.DateTimeFormat('en-CA', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  timeZone: NEW_YORK,
});

/** Formats an instant in the viewer's time zone, as `Nov 22, 01:05:09 GMT+1`. */
export function formatHere(instant: string): string {
  return here.format(new Date(instant));
}

/** Formats an instant in New York time, as `Nov 21, 19:05:09 New York`. */
export function formatNewYork(instant: string): string {
  return `${newYork.format(new Date(instant))} New York`;
}

const hereZone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' });

/** Returns the short name of the viewer's time zone at an instant, such as `CET` or `GMT+1`. */
export function zoneHere(instant: string | number): string {
  const parts = hereZone.formatToParts(new Date(instant));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Formats an instant in New York time, as `16:30`. */
export function formatNewYorkTime(instant: string): string {
  return newYorkTime.format(new Date(instant));
}

/** Returns the civil date in New York, as `2026-11-21`. */
export function newYorkDate(instant: Date): string {
  return newYorkDay.format(instant);
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
  ['month', 2_629_800],
  ['year', 31_557_600],
];
const relative = new Intl.RelativeTimeFormat('en');

/**
 * Formats the distance between an instant and now as `3 minutes ago`, `in 2 hours`, or `now`. Uses
 * the next larger unit if the rounded value reaches it: 59.5 minutes become 1 hour, but one second
 * less than 30 days stays 30 days.
 */
export function formatDistance(instant: string, now: number): string {
  const apart = (Date.parse(instant) - now) / 1000;
  const seconds = Math.abs(apart);
  let rounded = Math.round(seconds);
  let text = 'now';
  for (const [unit, size] of STEPS) {
    if (rounded < size) break;
    const count = Math.round(seconds / size);
    text = relative.format(Math.sign(apart) * count, unit);
    rounded = count * size;
  }
  return text;
}

const weekday = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Formats a civil date as `Mon, Nov 23`. */
export function formatDay(date: string): string {
  return weekday.format(new Date(`${date}T00:00:00Z`));
}

/** Adds days to a civil date. */
export function addDays(date: string, days: number): string {
  const result = new Date(`${date}T00:00:00Z`);
  result.setUTCDate(result.getUTCDate() + days);
  return result.toISOString().slice(0, 10);
}

export function mondayOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, day === 0 ? -6 : 1 - day);
}
