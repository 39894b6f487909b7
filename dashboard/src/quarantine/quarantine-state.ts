import type { QuarantinedRow } from '../api/calls.gen.ts';
import type { Tone } from '../ui/values/status-badge.tsx';

export type QuarantineState = QuarantinedRow['state'];

export const STATES: readonly QuarantineState[] = ['open', 'accepted', 'rejected'];

export const STATE_LABELS: Readonly<Record<QuarantineState, { tone: Tone; text: string }>> = {
  open: { tone: 'warn', text: 'pending' },
  accepted: { tone: 'good', text: 'accepted' },
  rejected: { tone: 'plain', text: 'rejected' },
};

/**
 * Returns a rule's name as a label, for example `paid before ex date` for `paid-before-ex-date`.
 */
export function ruleLabel(reason: string): string {
  return reason.replaceAll('-', ' ');
}
