import type { Invalid, NotFound } from '../../accounts/deps.ts';
import { problem } from '../problems.ts';
import type { ProblemCode } from '../problems.ts';
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

/** The refusal of an outcome that is one of the two everywhere; null of any other. */
export function commonRefusal(outcome: { kind: string } | Invalid | NotFound): Outcome | null {
  if (outcome.kind === 'not-found') return refusedNotFound();
  return outcome.kind === 'invalid' ? refusedInvalid(outcome as Invalid) : null;
}
