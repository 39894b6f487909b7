/** Formats instants in the viewer's time zone and in New York. */

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

/** `Nov 22, 01:05:09 GMT+1` */
export function formatHere(instant: string): string {
  return here.format(new Date(instant));
}

/** `Nov 21, 19:05:09 New York` */
export function formatNewYork(instant: string): string {
  return `${newYork.format(new Date(instant))} New York`;
}

const hereZone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' });

/** The short name of the viewer's time zone at an instant: `CET`, `GMT+1`. */
export function zoneHere(instant: string | number): string {
  const parts = hereZone.formatToParts(new Date(instant));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** `16:30`, in New York time. */
export function formatNewYorkTime(instant: string): string {
  return newYorkTime.format(new Date(instant));
}

/** The civil date in New York, `2026-11-21`. */
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
 * `3 minutes ago`, `in 2 hours`, `now`: rounded to the largest unit that fits after rounding the
 * unit below it. So 59.5 minutes are 1 hour, and one second less than 30 days are 30 days.
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

/** A civil date, `Mon, Nov 23`. */
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
