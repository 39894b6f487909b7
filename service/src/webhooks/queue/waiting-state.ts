import type { LockedEndpoint } from '../endpoint/lock-endpoints.ts';

/**
 * The state of an unfinished delivery after its attempt: `state`, or held while its endpoint is
 * disabled, or cancelled if the endpoint was deleted, because deliveries of deleted endpoints are
 * never claimed.
 */
export function pendingState<State extends string>(
  endpoint: Pick<LockedEndpoint, 'isDisabled' | 'isDeleted'> | undefined,
  state: State,
): State | 'held' | 'cancelled' {
  if (endpoint?.isDeleted === true) return 'cancelled';
  return endpoint?.isDisabled === true ? 'held' : state;
}
