import type { Source } from '../api/calls.gen.ts';
import { OUTCOME_LABELS, reasonLabel } from '../runs/run-labels.ts';
import type { Tone } from '../ui/values/status-badge.tsx';

/** Returns the status of an enabled source. */
export function sourceStatus(source: Source): { tone: Tone; text: string } {
  const { resting, lastSuccessAt, lastFailure } = source;
  if (resting !== null) return { tone: 'warn', text: 'paused' };
  if (isFailing(source)) return { tone: 'bad', text: 'failing' };
  if (lastSuccessAt === null && lastFailure === null) return { tone: 'plain', text: 'no runs yet' };
  return { tone: 'good', text: 'healthy' };
}

/** Returns true if the latest run failed. */
export function isFailing({ lastSuccessAt, lastFailure }: Source): boolean {
  if (lastFailure === null) return false;
  return lastSuccessAt === null || Date.parse(lastFailure.at) > Date.parse(lastSuccessAt);
}

/** Returns a label such as `failed: timeout`. */
export function failureLabel({ outcome, reason }: NonNullable<Source['lastFailure']>): string {
  const { text } = OUTCOME_LABELS[outcome];
  return reason === null ? text : `${text}: ${reasonLabel(reason)}`;
}

const TERMS: Readonly<Record<string, string>> = {
  'public-domain': 'Public domain',
  allowed: 'Redistribution allowed',
  'with-contract': 'Redistribution with a contract',
  'not-granted': 'No redistribution',
  synthetic: 'Synthetic data',
  operator: 'Your own data: depends on your rights',
};

/** Returns a label for the redistribution terms. */
export function termsLabel(redistribution: string): string {
  return TERMS[redistribution] ?? redistribution;
}

const UNUSED_REASONS: Readonly<Record<NonNullable<Source['whyNotInUse']>, string>> = {
  'not-named': 'not listed in SOURCES',
  'simulated-market': 'this database contains a simulated market',
  'real-data': 'this database contains real data',
};

/**
 * Returns why a source is not enabled, for example `not listed in SOURCES; FMP_API_KEY is not set`.
 */
export function unusedReason({ whyNotInUse, lacks }: Source): string {
  const missing = lacks.map((name) => `${name} is not set`);
  return [...(whyNotInUse === null ? [] : [UNUSED_REASONS[whyNotInUse]]), ...missing].join('; ');
}
