import {
  type Decimal,
  decimalToNumber,
  divideDecimals,
  multiplyDecimals,
  roundTo,
  subtractDecimals,
} from '../../domain/decimal.ts';
import { addDays, addMonths, type LocalDate, monthOf, yearOf } from '../../domain/local-date.ts';
import { monthKey } from '../../datasets/economic-events/observation.ts';

/** Rule that computes an event's figure from the values of its series. */
export type Figure =
  /** The value itself, in percent. */
  | 'percent'
  /** The value itself, in thousands. */
  | 'thousands'
  /** The value in thousands, shown in millions: `1.421M`. */
  | 'millions-of-thousands'
  /** The value in millions, shown in billions: `-68.10B`. */
  | 'billions-of-millions'
  /** The change from the period before, in thousands. */
  | 'thousands-change'
  /** The change from the month before, in percent. */
  | 'change-of-month'
  /** The change from the same month of the year before, in percent. */
  | 'change-of-year';

/** A published value of a series. */
export interface Point {
  length: 'month' | 'quarter';
  /** First day of the period. */
  start: LocalDate;
  /** Null if the value was not published, as for October 2025. */
  value: Decimal | null;
}

/** Usual time from the end of a period to its release. Selects the month of the release. */
const LAG_DAYS = { month: 15, quarter: 30 };

/** Returns the figure for the period that begins on `start`, as published; null without a base. */
function figureAt(points: readonly Point[], start: LocalDate, figure: Figure): string | null {
  const valueAt = (day: LocalDate): Decimal | null =>
    points.find((point) => point.start === day)?.value ?? null;
  const value = valueAt(start);
  if (value === null) return null;
  if (figure === 'percent') return percentText(value);
  if (figure === 'thousands') return `${roundTo(value, 0)}K`;
  if (figure === 'millions-of-thousands') return `${scaled(value, 3)}M`;
  if (figure === 'billions-of-millions') return `${scaled(value, 2)}B`;
  const base = valueAt(addMonths(start, figure === 'change-of-year' ? -12 : -1));
  if (base === null) return null;
  const change = subtractDecimals(value, base);
  if (figure === 'thousands-change') return `${roundTo(change, 0)}K`;
  const percent = divideDecimals(multiplyDecimals(change, '100'), base, 1);
  return percent === null ? null : percentText(percent);
}

/** Returns a thousandth of the value with fixed decimals. */
function scaled(value: Decimal, places: number): string {
  return decimalToNumber(divideDecimals(value, '1000', places) ?? value).toFixed(places);
}

/** Returns the figures for the period of a point and for the period before. */
export function figuresOf(
  points: readonly Point[],
  { start, length }: Point,
  figure: Figure,
): { actual: string | null; previous: string | null } {
  const before = addMonths(start, length === 'month' ? -1 : -3);
  return {
    actual: figureAt(points, start, figure),
    previous: figureAt(points, before, figure),
  };
}

/** Returns a percentage with one decimal, as the agencies publish it: `4.0%`. */
function percentText(value: Decimal): string {
  return `${decimalToNumber(roundTo(value, 1)).toFixed(1)}%`;
}

/** Returns the last day of the period. */
export function endOf({ start, length }: Point): LocalDate {
  return addDays(addMonths(start, length === 'month' ? 1 : 3), -1);
}

/** Returns the day on which the figure of a period is usually released, by the month only. */
export function releaseEstimate(point: Point): LocalDate {
  return addDays(endOf(point), LAG_DAYS[point.length]);
}

/** Returns `2026-10` or `2026-Q3`. */
export function periodOf({ start, length }: Point): string {
  return length === 'month'
    ? monthKey(start)
    : `${yearOf(start)}-Q${Math.ceil(monthOf(start) / 3)}`;
}
