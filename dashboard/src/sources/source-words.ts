import type { Source } from '../api/calls.gen.ts';
import { OUTCOME_WORDS, sayWhy } from '../runs/run-words.ts';
import type { Tone } from '../ui/values/mark.tsx';

/** How a source that is asked stands, in a word. */
export function standingOf(source: Source): { tone: Tone; text: string } {
  const { resting, lastSuccessAt, lastFailure } = source;
  if (resting !== null) return { tone: 'warn', text: 'left alone for now' };
  if (isFailing(source)) return { tone: 'bad', text: 'failing' };
  if (lastSuccessAt === null && lastFailure === null)
    return { tone: 'plain', text: 'not asked yet' };
  return { tone: 'good', text: 'answers' };
}

/** Whether the last that was heard of it is a failure. */
export function isFailing({ lastSuccessAt, lastFailure }: Source): boolean {
  if (lastFailure === null) return false;
  return lastSuccessAt === null || Date.parse(lastFailure.at) > Date.parse(lastSuccessAt);
}

/** `no answer: connection refused` */
export function sayFailure({ outcome, reason }: NonNullable<Source['lastFailure']>): string {
  const { text } = OUTCOME_WORDS[outcome];
  return reason === null ? text : `${text}: ${sayWhy(reason)}`;
}

const TERMS: Readonly<Record<string, string>> = {
  'public-domain': 'public domain: may be shown to anybody',
  allowed: 'may be shown to others',
  'with-contract': 'may be shown to others with a contract',
  'not-granted': 'gives nobody the right to show it to others',
  synthetic: 'made up: nobody’s rights are touched',
  operator: 'yours: as far as you have the right',
};

/** What its terms let one do with its data. */
export function sayTerms(redistribution: string): string {
  return TERMS[redistribution] ?? redistribution;
}

const WHY_NOT: Readonly<Record<NonNullable<Source['whyNotInUse']>, string>> = {
  'not-named': 'SOURCES does not name it',
  'simulated-market': 'this store shows a made-up market',
  'real-data': 'this store holds real data',
};

/** Why a source is not asked: `SOURCES does not name it; FMP_API_KEY is not given` */
export function sayWhyNot({ whyNotInUse, lacks }: Source): string {
  const given = lacks.map((name) => `${name} is not given`);
  return [...(whyNotInUse === null ? [] : [WHY_NOT[whyNotInUse]]), ...given].join('; ');
}
