import { createHash } from 'node:crypto';
import {
  beginCall,
  finishCall,
  type IdempotentCall,
  releaseCall,
} from '../../accounts/idempotent-calls.ts';
import type { ManagementDeps } from './deps.ts';
import { reject, rejectInvalid, rejectTooMany } from './refusals.ts';
import type { CallResult, Route } from './route.ts';

/**
 * Idempotency keys: a call that is repeated with the same key takes effect once, and returns the
 * same response.
 */

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
const KEY = /^[\x21-\x7e]{1,255}$/;
/** Seconds after which a client may repeat a call that is still running. */
const RETRY_SECONDS = 1;
const HOUR_SECONDS = 3_600;

/** Returns true for calls that accept a key. Calls by people about themselves do not. */
export function acceptsIdempotencyKey({ method, access, isRead }: Route): boolean {
  return method === 'POST' && isRead !== true && access !== 'anyone' && access !== 'signed-in';
}

/** A call as far as it decides what a repeated call must have in common with it. */
interface RepeatableCall {
  route: Route;
  callerId: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Everything that must be the same in a repeated call. */
  content: unknown;
}

/** Runs a call once for each key of a caller. Calls without a key are always run. */
export async function runOnce(
  deps: ManagementDeps,
  { route, callerId, headers, content }: RepeatableCall,
  run: (call?: IdempotentCall) => Promise<CallResult>,
): Promise<CallResult> {
  const key = headers[IDEMPOTENCY_KEY.toLowerCase()];
  if (key === undefined || !acceptsIdempotencyKey(route)) return run();
  if (typeof key !== 'string' || !KEY.test(key)) {
    return rejectInvalid(IDEMPOTENCY_KEY, 'must be 1 to 255 ASCII characters without spaces');
  }
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([route.name, content]))
    .digest('base64url');
  const now = deps.clock.now();
  const begun = await beginCall(deps, { caller: callerId, key, fingerprint, now });
  switch (begun.kind) {
    case 'begun':
      return runCall(deps, begun.call, run);
    case 'finished':
      return { kind: 'done', ...(JSON.parse(begun.response) as object), isReplayed: true };
    case 'running':
      return reject('idempotency-key-in-use', STILL_RUNNING, undefined, [
        'Retry-After',
        String(RETRY_SECONDS),
      ]);
    case 'interrupted':
      return reject('idempotency-key-in-use', INTERRUPTED);
    case 'other-call':
      return reject('idempotency-key-reused', REUSED);
    case 'too-many':
      return rejectTooMany({ retryAfterSeconds: HOUR_SECONDS });
  }
}

/**
 * Keeps the response of a call that is done. A rejected call changed nothing, and a call that failed
 * may not have, so the same key may be used to repeat them.
 */
async function runCall(
  deps: ManagementDeps,
  call: IdempotentCall,
  run: (call: IdempotentCall) => Promise<CallResult>,
): Promise<CallResult> {
  let isDone = false;
  try {
    const result = await run(call);
    if (result.kind === 'done') {
      await finishCall(deps, call, JSON.stringify({ body: result.body }));
      isDone = true;
    }
    return result;
  } finally {
    if (!isDone) await releaseCall(deps.db, call, deps.clock.now());
  }
}

const STILL_RUNNING = 'A call with this Idempotency-Key is still running. Retry in a moment.';
const INTERRUPTED =
  'The call with this Idempotency-Key took effect, but was interrupted before its response was ' +
  'stored. Read the state of the object. To make another call, use a new key.';
const REUSED = 'This Idempotency-Key was used for a call with different content. Use a new key.';
