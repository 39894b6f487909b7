import type { LockedEndpoint } from '../endpoint/lock-endpoints.ts';

/**
 * What a delivery becomes that is not over yet when its attempt is: it waits as `state`, is held while
 * its endpoint is disabled, and is cancelled when the endpoint was deleted meanwhile, since nothing is
 * ever claimed of a deleted one.
 */
export function pendingState<State extends string>(
  endpoint: Pick<LockedEndpoint, 'isDisabled' | 'isDeleted'> | undefined,
  state: State,
): State | 'held' | 'cancelled' {
  if (endpoint?.isDeleted === true) return 'cancelled';
  return endpoint?.isDisabled === true ? 'held' : state;
}
