import type { MarketStatus } from '../api/reads.gen.ts';

const REASONS = {
  weekend: 'Weekend.',
  holiday: 'Holiday.',
  'special-closure': 'Special closure.',
  'outside-hours': '',
} as const;

/**
 * A prefix sentence about today: a holiday, early close, special closure or operator's reason.
 * Empty on an ordinary day.
 */
export function todayNote(day: Pick<MarketStatus, 'holiday' | 'closedReason'>): string {
  const { holiday, closedReason } = day;
  if (holiday !== null) return /[.!?]$/.test(holiday) ? `${holiday} ` : `${holiday}. `;
  const reason = closedReason === null ? '' : REASONS[closedReason];
  return reason === '' ? '' : `${reason} `;
}
