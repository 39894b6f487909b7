import type { IngestRun } from '../api/calls.gen.ts';
import type { Tone } from '../ui/values/mark.tsx';

export type RunOutcome = IngestRun['outcome'];

export const OUTCOMES: readonly RunOutcome[] = [
  'ingested',
  'rejected',
  'unavailable',
  'unsupported',
];

export const OUTCOME_WORDS: Readonly<Record<RunOutcome, { tone: Tone; text: string }>> = {
  ingested: { tone: 'good', text: 'taken in' },
  rejected: { tone: 'bad', text: 'of no use' },
  unavailable: { tone: 'warn', text: 'no answer' },
  unsupported: { tone: 'plain', text: 'not wanted' },
};

const WHY_WORDS: Readonly<Record<string, string>> = {
  'breaker-open': 'it failed several times in a row, so it is left alone for a while',
  network: 'it could not be reached',
  timeout: 'it took too long',
  blocked: 'it refuses us',
  'rate-limited': 'it says that we ask too fast',
  'server-error': 'it reports an error of its own',
  'too-large': 'its answer was too large',
  redirected: 'it sent us to a place that is not known',
  stopped: 'the service was stopped meanwhile',
};

/** Why something failed, in words; codes without any as they are, without hyphens. */
export function sayWhy(code: string): string {
  return WHY_WORDS[code] ?? code.replaceAll(/[-_]/g, ' ');
}
