import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { CurrentSession } from '../api/calls.gen.ts';
import { ApiProblem } from '../api/problem.ts';

/** Loads the current session, or null if the user is signed out. */
export const sessionQuery = queryOptions<CurrentSession | null, ApiProblem>({
  queryKey: ['session-read'],
  queryFn: ({ signal }) =>
    call('session-read', {}, { customerId: null, signal }).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.code === 'not-signed-in') return null;
      throw error;
    }),
  staleTime: 60_000,
  // The session may show another account since, chosen in another tab.
  refetchOnWindowFocus: 'always',
});

/** Returns the current session, on pages that require one. */
export function useSession(): CurrentSession {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error('No session.');
  return data;
}
