import type { Reads } from '@afterbell/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiProblem } from './problem.ts';
import type { READ_PATHS, ReadEndpoint } from './read-paths.gen.ts';
import { useCall, type UseCallOptions } from './use-call.ts';

type Read<N extends ReadEndpoint> = Reads[(typeof READ_PATHS)[N]['path']];

/**
 * Returns the response from a read endpoint. The request is authenticated by the session, so it
 * needs no API key. A response that no cache has counts toward the plan's minute.
 */
export function useRead<N extends ReadEndpoint>(
  endpoint: N,
  question: Read<N>['parameters'],
  options: UseCallOptions = {},
): UseQueryResult<Read<N>['response'], ApiProblem> {
  const parts = Object.entries(question).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(parts).toString();
  const queryInput = query === '' ? {} : { query };
  return useCall(
    'explore-read',
    { path: { endpoint }, query: queryInput },
    options,
  ) as UseQueryResult<Read<N>['response'], ApiProblem>;
}
