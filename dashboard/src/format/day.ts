/** Formats civil dates, which have no time zone. */

const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const mediumDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
});
const weekdayName = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });

/** Formats a date as `Nov 20, 2026`. */
export function formatDate(date: string): string {
  return mediumDate.format(atMidnight(date));
}

/** Formats a date as `Friday, November 20`. */
export function formatWholeDay(date: string): string {
  return longDay.format(atMidnight(date));
}

/** Formats a date as `Fri`. */
export function formatWeekday(date: string): string {
  return weekdayName.format(atMidnight(date));
}

/** Formats a date range as `November 16 – 20, 2026`. */
export function formatSpan(from: string, to: string): string {
  return longDate.formatRange(atMidnight(from), atMidnight(to));
}

function atMidnight(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}
