import type { MarketOverride } from '../api/calls.gen.ts';
import type { MarketCalendarDay } from '@afterbell/sdk';

export type DayKind = 'open' | 'short' | 'closed' | 'weekend';

/** Returns the kind of a calendar day, which determines its style. */
export function kindOf(day: MarketCalendarDay): DayKind {
  if (!day.isTradingDay) return isWeekend(day.date) ? 'weekend' : 'closed';
  return day.status === 'early-close' || day.open !== '09:30' ? 'short' : 'open';
}

/** Describes a day as `Closed, Thanksgiving Day` or `09:30 to 13:00, Day after Thanksgiving`. */
export function describeDay(day: MarketCalendarDay): string {
  const hours = day.isTradingDay ? `${day.open} to ${day.close}` : 'Closed';
  return day.reason === null ? hours : `${hours}, ${day.reason}`;
}

/** Describes the effect of an override: `closed`, `closes at 13:00`, or `opens at 10:30`. */
export function describeOverride({ kind, time }: Pick<MarketOverride, 'kind' | 'time'>): string {
  switch (kind) {
    case 'closed':
      return 'closed';
    case 'early-close':
      return `closes at ${time ?? '…'}`;
    case 'late-open':
      return `opens at ${time ?? '…'}`;
  }
}

function isWeekend(date: string): boolean {
  return [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
}
