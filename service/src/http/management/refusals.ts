import type { Invalid, NotFound } from '../../accounts/deps.ts';
import { problem, type ProblemCode } from '../problems.ts';
import type { Outcome } from './route.ts';

/** What the slices answer when something will not do, as problems. */

export function refused(
  code: ProblemCode,
  detail: string,
  members?: Record<string, unknown>,
): Outcome {
  return {
    kind: 'refused',
    problem: problem(code, detail, members === undefined ? {} : { members }),
  };
}

export function refusedInvalid({ parameter, detail }: Invalid): Outcome {
  return refused('invalid-parameter', `The value of ${parameter} will not do: ${detail}.`, {
    parameter,
  });
}

/** Another customer's thing and one that never was look alike. */
export function refusedNotFound(): Outcome {
  return refused('not-found', 'There is no such thing here.');
}

export function refusedTooMany({ retryAfterSeconds }: { retryAfterSeconds: number }): Outcome {
  const detail = `Too many tries; come again in ${retryAfterSeconds} s.`;
  const headers = ['Retry-After', String(retryAfterSeconds)];
  return { kind: 'refused', problem: problem('too-many-attempts', detail, { headers }) };
}

/** A one-time link that is unknown, used or too old: nobody is told which. */
export function refusedLink(): Outcome {
  return refused(
    'not-found',
    'The link is unknown, was used already or is too old: ask for another.',
  );
}

/** The refusal of an outcome that is one of the two everywhere; null of any other. */
export function commonRefusal(outcome: { kind: string } | Invalid | NotFound): Outcome | null {
  if (outcome.kind === 'not-found') return refusedNotFound();
  return outcome.kind === 'invalid' ? refusedInvalid(outcome as Invalid) : null;
}

/** For outcomes that the schema of a call has ruled out. */
export function unexpected(outcome: { kind: string }): never {
  throw new Error(`an outcome that the call does not know: ${outcome.kind}`);
}
