import { periodLabel, yearEndMonth } from '../../domain/fiscal-period.ts';
import { addDays, lastDayOfMonth, type LocalDate } from '../../domain/local-date.ts';

/**
 * The months that label a company's quarters, every third month. Labels from sources that use the
 * month before or after are aligned to these months, so that a quarter has the same label for every
 * source.
 */
export interface FiscalCalendar {
  /** Month index (year × 12 + month − 1) modulo 3 for quarter ends; null if unknown. */
  phase: number | null;
  /** Month (1–12) that labels the last quarter of the fiscal year; null if unknown. */
  yearEndMonth: number | null;
}

/** A fiscal period as a source reports it. */
export interface FiscalPeriod {
  end: LocalDate;
  /** `month`: the source gives only the month of `end`. */
  precision: 'day' | 'month';
}

/**
 * Returns the calendar for the fiscal year end (`MM-DD`), or the calendar that fits most of the
 * periods.
 */
export function fiscalCalendarOf(
  fiscalYearEnd: string | null,
  periods: readonly FiscalPeriod[],
): FiscalCalendar {
  const month = fiscalYearEnd === null ? null : yearEndMonth(fiscalYearEnd);
  if (month !== null) return { phase: (month - 1) % 3, yearEndMonth: month };
  const votes = [0, 0, 0];
  for (const { end, precision } of periods) {
    const phase = monthIndex(periodLabel(end, precision)) % 3;
    votes[phase] = (votes[phase] ?? 0) + (precision === 'day' ? 10 : 1);
  }
  const most = Math.max(...votes);
  return { phase: most === 0 ? null : votes.indexOf(most), yearEndMonth: null };
}

/**
 * Returns the nearest label in the fiscal calendar: the label itself, or the month before or after.
 */
export function alignLabel(label: string, { phase }: FiscalCalendar): string {
  if (phase === null) return label;
  const index = monthIndex(label);
  const offset = modulo(index - phase, 3);
  return labelOf(offset === 0 ? index : offset === 1 ? index - 1 : index + 1);
}

/** Returns the label of the last quarter that ended before the date, according to `endOf`. */
export function quarterBefore(
  date: LocalDate,
  fiscalCalendar: FiscalCalendar,
  endOf: (label: string) => LocalDate = monthEndOf,
): string {
  const phase = fiscalCalendar.phase ?? 2;
  for (let index = monthIndex(date.slice(0, 7)) + 2; ; index--) {
    if (modulo(index, 3) !== phase) continue;
    const label = labelOf(index);
    if (endOf(label) < date) return label;
  }
}

/** Returns the label of the quarter before. */
export function quarterBeforeLabel(label: string): string {
  return labelOf(monthIndex(label) - 3);
}

/** Returns the label of the next quarter. */
export function quarterAfter(label: string): string {
  return labelOf(monthIndex(label) + 3);
}

/**
 * Returns the fiscal quarter for an aligned label, and the calendar year in which its fiscal year
 * ends.
 */
export function fiscalLabelsOf(
  label: string,
  fiscalCalendar: FiscalCalendar,
): { fiscalYear: number; fiscalQuarter: number } | null {
  if (fiscalCalendar.yearEndMonth === null) return null;
  const index = monthIndex(label);
  const toYearEnd = modulo(fiscalCalendar.yearEndMonth - 1 - index, 12);
  if (toYearEnd % 3 !== 0) return null;
  return { fiscalYear: Math.floor((index + toYearEnd) / 12), fiscalQuarter: 4 - toYearEnd / 3 };
}

/** Returns the label one year earlier. */
export function yearBefore(label: string): string {
  return labelOf(monthIndex(label) - 12);
}

export function monthEndOf(label: string): LocalDate {
  return lastDayOfMonth(Number(label.slice(0, 4)), Number(label.slice(5)));
}

/**
 * Returns a function that estimates when a quarter ends: the exact end if known, otherwise the end
 * of the month moved by the median offset of known quarters with that month. Twelve-week quarters
 * end weeks before the month does.
 */
export function quarterEndEstimator(
  knownEnds: ReadonlyMap<string, LocalDate>,
): (label: string) => LocalDate {
  const offsets = new Map<string, number[]>();
  for (const [label, end] of knownEnds) {
    const month = label.slice(5);
    const days = (Date.parse(end) - Date.parse(monthEndOf(label))) / 86_400_000;
    offsets.set(
      month,
      [...(offsets.get(month) ?? []), days].toSorted((a, b) => a - b),
    );
  }
  return (label) => {
    const exact = knownEnds.get(label);
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
  return `${year}-${String(modulo(index, 12) + 1).padStart(2, '0')}`;
}

/** Returns the remainder, which is never negative. */
function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
