import { addDays, daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Parameter, ParameterFault, Values } from '../endpoint.ts';

const RECENT_DAYS = 7;

/** A range of days that includes both ends. */
export interface DateRange {
  from: LocalDate;
  to: LocalDate;
}

/** The `date` parameter for endpoints that also accept ranges. */
export const dateParameter: Parameter = {
  name: 'date',
  in: 'query',
  kind: 'date',
  required: false,
  requiredUnless: ['from', 'to'],
  describe:
    '`YYYY-MM-DD`, or `today`, `yesterday`, `tomorrow` in New York. Required unless `from` and ' +
    '`to` are given.',
};

/** Returns the parameters for a range of at most `daysMax` days. */
export function rangeParameters(daysMax: number): Parameter[] {
  const describe = (position: string): string =>
    `${position} day of a range of at most ${daysMax} days, in the same format as a date.`;
  const parameter = { in: 'query', kind: 'date', required: false } as const;
  return [
    { ...parameter, name: 'from', describe: describe('First') },
    { ...parameter, name: 'to', describe: describe('Last') },
  ];
}

/** Returns the requested range, or null if there is none. */
export function requestedRange(values: Values): DateRange | null {
  const [from, to] = [values.maybeDate('from'), values.maybeDate('to')];
  return from === null || to === null ? null : { from, to };
}

/** Returns the requested range, or the requested day as a range. */
export function requestedDays(values: Values): DateRange {
  return requestedRange(values) ?? { from: values.date('date'), to: values.date('date') };
}

/** Returns the fault in a range, or null if it is valid or absent. */
export function rangeFault(values: Values, daysMax: number): ParameterFault | null {
  const [from, to] = [values.maybeDate('from'), values.maybeDate('to')];
  if (from === null && to === null) return null;
  if (from === null) return missing('from', 'A range needs from as well as to.');
  if (to === null) return missing('to', 'A range needs to as well as from.');
  if (to < from) return invalid('to', 'The range ends before it begins.');
  if (daysBetween(from, to) >= daysMax) {
    return invalid('to', `The range is longer than ${daysMax} days.`);
  }
  return null;
}

/** Validates like `rangeFault`, for endpoints that require either `date` or a range. */
export function dateOrRangeFault(values: Values, daysMax: number): ParameterFault | null {
  const hasRange = values.maybeDate('from') !== null || values.maybeDate('to') !== null;
  const hasDate = values.maybeDate('date') !== null;
  if (hasDate && hasRange) return invalid('date', 'Use either date, or from and to, but not both.');
  if (!hasDate && !hasRange) return missing('date', 'The parameter date is required.');
  return rangeFault(values, daysMax);
}

/**
 * Rejects pagination for a single day, because the response is then an object instead of an array.
 */
export function pagingFault(values: Values): ParameterFault | null {
  if (requestedRange(values) !== null) return null;
  const name = values.integer('limit') === null ? 'cursor' : 'limit';
  if (name === 'cursor' && values.choice('cursor') === null) return null;
  return invalid(name, `${name} requires from and to: a single day is not paginated.`);
}

export function eachDay({ from, to }: DateRange): LocalDate[] {
  const days: LocalDate[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Returns the client cache lifetime for a range, which is that of its most volatile day. */
export function daysMaxAgeSeconds({ from, to }: DateRange, now: Instant): number {
  const today = newYorkDate(now);
  const liveliest = [from, to, today, addDays(today, 1)].filter((day) => day >= from && day <= to);
  return Math.min(...liveliest.map((day) => datedMaxAgeSeconds(day, now)));
}

/**
 * Returns the client cache lifetime for a day: a minute for today and tomorrow, 15 minutes for
 * later days and the past week, and a day for older days.
 */
function datedMaxAgeSeconds(date: LocalDate, now: Instant): number {
  const ahead = daysBetween(newYorkDate(now), date);
  if (ahead === 0 || ahead === 1) return 60;
  return ahead >= -RECENT_DAYS ? 900 : 86_400;
}

function missing(parameter: string, detail: string): ParameterFault {
  return { code: 'missing-parameter', parameter, detail };
}

function invalid(parameter: string, detail: string): ParameterFault {
  return { code: 'invalid-parameter', parameter, detail };
}
