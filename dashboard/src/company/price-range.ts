export const RANGES = [
  { value: '3m', label: '3 months', months: 3 },
  { value: '1y', label: '1 year', months: 12 },
  { value: '5y', label: '5 years', months: 60 },
] as const;

export type RangeName = (typeof RANGES)[number]['value'];

/** Returns the first day of a range, limited to the history that the plan includes. */
export function firstDayOf(range: RangeName, today: string, historyFrom: string | null): string {
  const months = RANGES.find(({ value }) => value === range)?.months ?? 12;
  const day = monthsBefore(today, months);
  return historyFrom !== null && historyFrom > day ? historyFrom : day;
}

/** Returns the same day of an earlier month, or that month's last day if it is shorter. */
function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  const earlier = new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastOfMonth)));
  return earlier.toISOString().slice(0, 10);
}
