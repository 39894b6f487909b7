import type { MarketStatus } from '@afterbell/sdk';

const REASONS = {
  weekend: 'Weekend.',
  holiday: 'Holiday.',
  'special-closure': 'Special closure.',
  'outside-hours': '',
} as const;

/**
 * Returns a sentence about today to show in front of other text: a holiday, an early close, a
 * special closure, or the operator's reason. Returns an empty string on an ordinary day.
 */
export function todayNote(day: Pick<MarketStatus, 'holiday' | 'closedReason'>): string {
  const { holiday, closedReason } = day;
  if (holiday !== null) return /[.!?]$/.test(holiday) ? `${holiday} ` : `${holiday}. `;
  const reason = closedReason === null ? '' : REASONS[closedReason];
  return reason === '' ? '' : `${reason} `;
}
