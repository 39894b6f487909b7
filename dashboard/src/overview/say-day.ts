import type { MarketStatus } from '../api/reads.gen.ts';

const WHY = {
  weekend: 'It is the weekend.',
  holiday: 'It is a holiday.',
  'special-closure': 'It is closed on this day exceptionally.',
  'outside-hours': '',
} as const;

/**
 * What is special about today, to stand before another sentence: its holiday, early closes and what an
 * operator gave as a reason included; empty on an ordinary day.
 */
export function sayDay(day: Pick<MarketStatus, 'holiday' | 'closedReason'>): string {
  const { holiday, closedReason } = day;
  if (holiday !== null) return /[.!?]$/.test(holiday) ? `${holiday} ` : `${holiday}. `;
  const why = closedReason === null ? '' : WHY[closedReason];
  return why === '' ? '' : `${why} `;
}
