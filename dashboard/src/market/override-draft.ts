import type { MarketOverride } from '../api/calls.gen.ts';

/** What an operator is about to say of a day. */
export interface OverrideDraft {
  date: string;
  kind: MarketOverride['kind'];
  /** New York, `HH:MM`; without meaning for a day that is closed. */
  time: string;
  reason: string;
  note: string;
}

export const KINDS = [
  { value: 'closed', label: 'No session' },
  { value: 'early-close', label: 'Closes early' },
  { value: 'late-open', label: 'Opens late' },
] as const;

export function emptyDraft(date: string): OverrideDraft {
  return { date, kind: 'closed', time: '13:00', reason: '', note: '' };
}

/** The time that is usual for a kind, to begin with. */
export function usualTime(kind: OverrideDraft['kind']): string {
  return kind === 'late-open' ? '10:30' : '13:00';
}

/** As the call takes it. */
export function bodyOf({ date, kind, time, reason, note }: OverrideDraft) {
  return {
    date,
    kind,
    reason: reason.trim(),
    ...(kind === 'closed' ? {} : { time }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  };
}
