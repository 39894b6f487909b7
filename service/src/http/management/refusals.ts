import type { Invalid, NotFound } from '../../accounts/deps.ts';
import { problem, type ProblemCode } from '../problems.ts';
import { unknownWatchlist } from '../request/expand-watchlists.ts';
import type { CallResult } from './route.ts';

/** Converts the outcome of a domain action to a problem. */

export function reject(
  code: ProblemCode,
  detail: string,
  members?: Record<string, unknown>,
  headers?: readonly string[],
): CallResult {
  const parts = {
    ...(members === undefined ? {} : { members }),
    ...(headers === undefined ? {} : { headers }),
  };
  return { kind: 'rejected', problem: problem(code, detail, parts) };
}

export function rejectInvalid(parameter: string, detail: string): CallResult {
  return reject('invalid-parameter', `Invalid value for ${parameter}: ${detail}.`, { parameter });
}

/** Returns the same response for objects of other customers and for objects that never existed. */
export function rejectNotFound(): CallResult {
  return reject('not-found', 'The requested object does not exist.');
}

export function rejectTooMany({ retryAfterSeconds }: { retryAfterSeconds: number }): CallResult {
  const detail = `Too many attempts. Retry in ${retryAfterSeconds} seconds.`;
  const headers = ['Retry-After', String(retryAfterSeconds)];
  return { kind: 'rejected', problem: problem('too-many-attempts', detail, { headers }) };
}

/** Returns the same response for unknown, used and expired links, so that it discloses nothing. */
export function rejectLink(): CallResult {
  return reject(
    'not-found',
    'The link is invalid, was already used, or has expired. Ask for a new one.',
  );
}

/** Returns the problem for an outcome that any action may have, or null for all other outcomes. */
export function commonRejection(outcome: { kind: string } | Invalid | NotFound): CallResult | null {
  if (outcome.kind === 'not-found') return rejectNotFound();
  return 'parameter' in outcome ? rejectInvalid(outcome.parameter, outcome.detail) : null;
}

/** Returns the problem for a failed webhook action. */
export function webhookRejection(
  outcome:
    | { kind: string }
    | { kind: 'over-limit' | 'conflict'; detail: string }
    | { kind: 'too-many'; retryAfterSeconds: number }
    | { kind: 'unknown-watchlist'; name: string },
): CallResult {
  if ('retryAfterSeconds' in outcome) return rejectTooMany(outcome);
  if (outcome.kind === 'unknown-watchlist' && 'name' in outcome) {
    return { kind: 'rejected', problem: unknownWatchlist(outcome.name) };
  }
  const common = commonRejection(outcome);
  if (common !== null) return common;
  if ('detail' in outcome) return reject('conflict', outcome.detail);
  return unexpectedOutcome(outcome);
}

/** Throws for an outcome that the request schema rules out. */
export function unexpectedOutcome(outcome: { kind: string }): never {
  throw new Error(`unexpected outcome of a management call: ${outcome.kind}`);
}
