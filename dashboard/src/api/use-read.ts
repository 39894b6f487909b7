import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiProblem } from './problem.ts';
import type { Reads } from './reads.gen.ts';
import { useCall, type UseCallOptions } from './use-call.ts';

/**
 * Returns the response from a read endpoint. The request is authenticated by the session, so it
 * isn't metered and needs no API key.
 */
export function useRead<N extends keyof Reads>(
  endpoint: N,
  question: Reads[N]['query'],
  options: UseCallOptions = {},
): UseQueryResult<Reads[N]['answer'], ApiProblem> {
  const parts = Object.entries(question).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(parts).toString();
  const queryInput = query === '' ? {} : { query };
  return useCall(
    'explore-read',
    { path: { endpoint }, query: queryInput },
    options,
  ) as UseQueryResult<Reads[N]['answer'], ApiProblem>;
}
