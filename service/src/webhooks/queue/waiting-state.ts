import type { LockedEndpoint } from '../endpoint/lock-endpoints.ts';

/**
 * Returns the state of an unfinished delivery after an attempt. This is normally `state`, but
 * `held` if the endpoint is disabled, and `cancelled` if it was deleted, because deliveries to
 * deleted endpoints are never claimed.
 */
export function pendingState<State extends string>(
  endpoint: Pick<LockedEndpoint, 'isDisabled' | 'isDeleted'> | undefined,
  state: State,
): State | 'held' | 'cancelled' {
  if (endpoint?.isDeleted === true) return 'cancelled';
  return endpoint?.isDisabled === true ? 'held' : state;
}
