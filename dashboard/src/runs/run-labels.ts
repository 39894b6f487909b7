import type { IngestRun } from '../api/calls.gen.ts';
import type { Tone } from '../ui/values/status-badge.tsx';

export type RunOutcome = IngestRun['outcome'];

export const OUTCOMES: readonly RunOutcome[] = [
  'ingested',
  'rejected',
  'unavailable',
  'unsupported',
];

export const OUTCOME_LABELS: Readonly<Record<RunOutcome, { tone: Tone; text: string }>> = {
  ingested: { tone: 'good', text: 'accepted' },
  rejected: { tone: 'bad', text: 'unusable' },
  unavailable: { tone: 'warn', text: 'failed' },
  unsupported: { tone: 'plain', text: 'skipped' },
};

const REASON_LABELS: Readonly<Record<string, string>> = {
  'breaker-open': 'paused after repeated failures',
  network: 'network error',
  timeout: 'timeout',
  blocked: 'access denied by the source',
  'rate-limited': 'rate limited by the source',
  'server-error': 'server error',
  'too-large': 'response too large',
  redirected: 'unexpected redirect',
  'wrong-clock': 'clock of the service differs from the source',
  stopped: 'the service was stopped',
};

/** Describes a failure code. Unknown codes are shown with spaces instead of hyphens. */
export function reasonLabel(code: string): string {
  return REASON_LABELS[code] ?? code.replaceAll(/[-_]/g, ' ');
}
