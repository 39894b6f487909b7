import { periodLabel, yearEndMonth } from '../../domain/fiscal-period.ts';
import { addDays, lastDayOfMonth, type LocalDate } from '../../domain/local-date.ts';

/**
 * The months a company's quarters are named by, every third one. Sources that name the month beside
 * the right one are moved onto the grid, so that one quarter has one label whoever speaks of it.
 */
export interface FiscalCalendar {
  /** Month index (year × 12 + month − 1) modulo 3 of quarter ends; null: nothing is known. */
  phase: number | null;
  /** Month (1–12) by which the last quarter of the fiscal year is named; null: not known. */
  yearEndMonth: number | null;
}

/** The grid from the company's year end (`MM-DD`), else from what most known periods say. */
export function fiscalCalendarOf(
  fiscalYearEnd: string | null,
  periods: readonly { end: LocalDate; precision: 'day' | 'month' }[],
): FiscalCalendar {
  const named = fiscalYearEnd === null ? null : yearEndMonth(fiscalYearEnd);
  if (named !== null) return { phase: (named - 1) % 3, yearEndMonth: named };
  const votes = [0, 0, 0];
  for (const { end, precision } of periods) {
    const phase = monthIndex(periodLabel(end, precision)) % 3;
    votes[phase] = (votes[phase] ?? 0) + (precision === 'day' ? 10 : 1);
  }
  const most = Math.max(...votes);
  return { phase: most === 0 ? null : votes.indexOf(most), yearEndMonth: null };
}

/** The label on the grid nearest to this one: itself, or the month before or after. */
export function alignLabel(label: string, fiscalCalendar: FiscalCalendar): string {
  if (fiscalCalendar.phase === null) return label;
  const index = monthIndex(label);
  const off = (((index - fiscalCalendar.phase) % 3) + 3) % 3;
  return labelOf(off === 0 ? index : off === 1 ? index - 1 : index + 1);
}

/** Label of the last quarter that ends, by `endOf`, before the day; calendar quarters by default. */
export function quarterBefore(
  date: LocalDate,
  fiscalCalendar: FiscalCalendar,
  endOf: (label: string) => LocalDate = monthEndOf,
): string {
  const phase = fiscalCalendar.phase ?? 2;
  const from = monthIndex(date.slice(0, 7)) + 2;
  for (let index = from; ; index--) {
    if (((index % 3) + 3) % 3 !== phase) continue;
    const label = labelOf(index);
    if (endOf(label) < date) return label;
  }
}

/** The label of the quarter after this one. */
export function quarterAfter(label: string): string {
  return labelOf(monthIndex(label) + 3);
}

/** Fiscal year (by the calendar year in which it ends) and quarter of a label on the grid. */
export function fiscalLabelsOf(
  label: string,
  fiscalCalendar: FiscalCalendar,
): { fiscalYear: number; fiscalQuarter: number } | null {
  if (fiscalCalendar.yearEndMonth === null) return null;
  const index = monthIndex(label);
  const toYearEnd = (((fiscalCalendar.yearEndMonth - 1 - index) % 12) + 12) % 12;
  if (toYearEnd % 3 !== 0) return null;
  return { fiscalYear: Math.floor((index + toYearEnd) / 12), fiscalQuarter: 4 - toYearEnd / 3 };
}

/** The label a year earlier. */
export function yearBefore(label: string): string {
  return labelOf(monthIndex(label) - 12);
}

export function monthEndOf(label: string): LocalDate {
  return lastDayOfMonth(Number(label.slice(0, 4)), Number(label.slice(5)));
}

/**
 * Ends of quarters as the company keeps them: the exact end where one is known, else the month's
 * end moved by what is usual for quarters of that month (twelve-week quarters end weeks earlier).
 */
export function usualEnds(known: ReadonlyMap<string, LocalDate>): (label: string) => LocalDate {
  const offsets = new Map<string, number[]>();
  for (const [label, end] of known) {
    const month = label.slice(5);
    const days = (Date.parse(end) - Date.parse(monthEndOf(label))) / 86_400_000;
    offsets.set(
      month,
      [...(offsets.get(month) ?? []), days].toSorted((a, b) => a - b),
    );
  }
  return (label) => {
    const exact = known.get(label);
    if (exact !== undefined) return exact;
    const days = offsets.get(label.slice(5)) ?? [];
    return addDays(monthEndOf(label), days[Math.floor(days.length / 2)] ?? 0);
  };
}

function monthIndex(label: string): number {
  return Number(label.slice(0, 4)) * 12 + Number(label.slice(5)) - 1;
}

function labelOf(index: number): string {
  const year = String(Math.floor(index / 12)).padStart(4, '0');
  return `${year}-${String((((index % 12) + 12) % 12) + 1).padStart(2, '0')}`;
}
