import type { Invalid, NotFound } from '../../accounts/deps.ts';
import { problem, type ProblemCode } from '../problems.ts';
import type { CallResult } from './route.ts';

/** What the slices answer when something will not do, as problems. */

export function reject(
  code: ProblemCode,
  detail: string,
  members?: Record<string, unknown>,
): CallResult {
  return {
    kind: 'refused',
    problem: problem(code, detail, members === undefined ? {} : { members }),
  };
}

export function rejectInvalid({ parameter, detail }: Invalid): CallResult {
  return reject('invalid-parameter', `The value of ${parameter} will not do: ${detail}.`, {
    parameter,
  });
}

/** Another customer's thing and one that never was look alike. */
export function rejectNotFound(): CallResult {
  return reject('not-found', 'There is no such thing here.');
}

export function rejectTooMany({ retryAfterSeconds }: { retryAfterSeconds: number }): CallResult {
  const detail = `Too many tries; come again in ${retryAfterSeconds} s.`;
  const headers = ['Retry-After', String(retryAfterSeconds)];
  return { kind: 'refused', problem: problem('too-many-attempts', detail, { headers }) };
}

/** A one-time link that is unknown, used or too old: nobody is told which. */
export function rejectLink(): CallResult {
  return reject(
    'not-found',
    'The link is unknown, was used already or is too old: ask for another.',
  );
}

/** The refusal of an outcome that is one of the two everywhere; null of any other. */
export function commonRejection(outcome: { kind: string } | Invalid | NotFound): CallResult | null {
  if (outcome.kind === 'not-found') return rejectNotFound();
  return outcome.kind === 'invalid' ? rejectInvalid(outcome as Invalid) : null;
}

/** For outcomes that the schema of a call has ruled out. */
export function unexpectedOutcome(outcome: { kind: string }): never {
  throw new Error(`an outcome that the call does not know: ${outcome.kind}`);
}
