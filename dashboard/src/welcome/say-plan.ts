import type { Plan } from '../api/calls.gen.ts';
import { formatCount } from '../format/number.ts';

/** A plan's limits in a line. */
export function sayPlan({ perMinute, perDay, perMonth, historyMonths }: Plan): string {
  const parts = [
    `${formatCount(perMinute)} requests a minute`,
    perDay === null ? null : `${formatCount(perDay)} a day`,
    perMonth === null ? null : `${formatCount(perMonth)} a month`,
    perDay === null && perMonth === null ? 'no daily or monthly limit' : null,
    historyMonths === null ? 'the whole history' : `${historyMonths} months of history`,
  ];
  return `${parts.filter((part) => part !== null).join(', ')}.`;
}
