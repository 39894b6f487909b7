/**
 * New York time and exchange sessions from 2026 to 2028, from hand-written tables and the statutory
 * rule: daylight saving time begins on the second Sunday of March and ends on the first Sunday of
 * November, at 02:00. Shares no code with the service.
 */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const CLOSED: ReadonlySet<string> = new Set(
  [
    '2026-01-01 2026-01-19 2026-02-16 2026-04-03 2026-05-25',
    '2026-06-19 2026-07-03 2026-09-07 2026-11-26 2026-12-25',
    '2027-01-01 2027-01-18 2027-02-15 2027-03-26 2027-05-31',
    '2027-06-18 2027-07-05 2027-09-06 2027-11-25 2027-12-24',
    '2028-01-17 2028-02-21 2028-04-14 2028-05-29 2028-06-19',
    '2028-07-04 2028-09-04 2028-11-23 2028-12-25',
    '2029-01-01',
  ].flatMap((line) => line.split(' ')),
);
const EARLY: ReadonlySet<string> = new Set([
  '2026-11-27',
  '2026-12-24',
  '2027-11-26',
  '2028-07-03',
  '2028-11-24',
]);

function dayText(utcMidnight: number): string {
  return new Date(utcMidnight).toISOString().slice(0, 10);
}

/** Returns the instant at which New York clocks show this many minutes since midnight. */
export function instantOf(day: string, minutes: number): number {
  const [year = 0] = day.split('-').map(Number);
  const localMs = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS;
  const spring = sundayOf(year, 2, 2) + 120 * MINUTE_MS;
  const autumn = sundayOf(year, 10, 1) + 120 * MINUTE_MS;
  // A local time skipped in spring is read with the offset before the change. A repeated time in
  // autumn is the first of the two.
  const isSummer = localMs >= spring + 60 * MINUTE_MS && localMs < autumn;
  return localMs + (isSummer ? 4 : 5) * 60 * MINUTE_MS;
}

/** Returns the New York day of an instant, derived from the midnights around it. */
export function dayOf(at: number): string {
  const day = dayText(at - 5 * 60 * MINUTE_MS - (at % MINUTE_MS));
  return at >= instantOf(dayAfter(day), 0) ? dayAfter(day) : day;
}

export function dayAfter(day: string): string {
  return dayText(Date.parse(`${day}T00:00:00Z`) + DAY_MS);
}

export function isSession(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !CLOSED.has(day);
}

/** Returns the minute of the day at which the session ends. */
export function closeOf(day: string): number {
  return EARLY.has(day) ? 13 * 60 : 16 * 60;
}

/** Returns a day's session changes in order. Each has the session that begins at its instant. */
export function sessionChangesOf(day: string): { at: number; session: string }[] {
  if (!isSession(day)) return [];
  const lastMinute = EARLY.has(day) ? 17 * 60 : 20 * 60;
  return [
    { at: instantOf(day, 4 * 60), session: 'pre-market' },
    { at: instantOf(day, 9 * 60 + 30), session: 'open' },
    { at: instantOf(day, closeOf(day)), session: 'after-hours' },
    { at: instantOf(day, lastMinute), session: 'closed' },
  ];
}

function sundayOf(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - first) % 7) + (nth - 1) * 7);
}
