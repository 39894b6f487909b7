import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { ApiProblem } from './api/problem.ts';
import { routeTree } from './routes.gen.ts';
import { FailedPage } from './ui/failed-page.tsx';
import { MissingPage } from './ui/missing-page.tsx';

const RETRIES_MAX = 2;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      retry: (failures, error) => failures < RETRIES_MAX && isPassing(error),
    },
  },
});

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Worth asking again: the service was away or busy. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
}

/** The session ended meanwhile: the next stop is the door, and back here after it. */
function leaveWhenSignedOut(error: unknown): void {
  if (!(error instanceof ApiProblem) || error.code !== 'not-signed-in') return;
  const { pathname, searchStr } = router.state.location;
  if (pathname === '/sign-in') return;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { next: `${pathname}${searchStr}` } });
}
