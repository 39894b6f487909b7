import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { ApiProblem, isTransient } from './api/problem.ts';
import { routeTree } from './routes.gen.ts';
import { FailedPage } from './ui/page/failed-page.tsx';
import { MissingPage } from './ui/page/missing-page.tsx';
import { PendingPage } from './ui/page/pending-page.tsx';

const RETRIES_MAX = 2;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      // Requests are sent even if the browser believes it is offline, because the service may run
      // on the same machine. Otherwise pages and buttons would hang without an error.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < RETRIES_MAX && isTransient(error),
    },
    mutations: { networkMode: 'always' },
  },
});

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  context: { queryClient },
  // Removes unknown search parameters, so that pages see only validated ones.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingComponent: PendingPage,
  // The time before a pending state is shown. Most pages load faster than this.
  defaultPendingMs: 400,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Redirects to sign-in when the session has ended, and returns to the page afterwards. */
function leaveWhenSignedOut(error: unknown): void {
  if (!(error instanceof ApiProblem) || error.code !== 'not-signed-in') return;
  const { pathname, searchStr } = router.state.location;
  if (pathname === '/sign-in') return;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { next: `${pathname}${searchStr}` } });
}
