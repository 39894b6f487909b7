import type { MarketOverride } from '../api/calls.gen.ts';

/** The override form's values. */
export interface OverrideDraft {
  date: string;
  kind: MarketOverride['kind'];
  /** New York time, `HH:MM`; ignored for a closed day. */
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

/** The default time for a kind. */
export function defaultTime(kind: OverrideDraft['kind']): string {
  return kind === 'late-open' ? '10:30' : '13:00';
}

/** The draft as the call's body. */
export function toBody({ date, kind, time, reason, note }: OverrideDraft) {
  return {
    date,
    kind,
    reason: reason.trim(),
    ...(kind === 'closed' ? {} : { time }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  };
}
