import type { MarketOverride } from '../api/calls.gen.ts';

/** The values of the override form. */
export interface OverrideDraft {
  date: string;
  kind: MarketOverride['kind'];
  /** New York time as `HH:MM`. Ignored if the day is closed. */
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

/** Returns the default time for a kind of override. */
export function defaultTime(kind: OverrideDraft['kind']): string {
  return kind === 'late-open' ? '10:30' : '13:00';
}

/** Converts the draft to the body of the call. */
export function toBody({ date, kind, time, reason, note }: OverrideDraft) {
  return {
    date,
    kind,
    reason: reason.trim(),
    ...(kind === 'closed' ? {} : { time }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  };
}
