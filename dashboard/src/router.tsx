import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { ApiProblem, isPassing } from './api/problem.ts';
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
      // The service may be on this very machine, so it is asked whatever the browser thinks of the
      // network; else a page would stand still, and a button wait, without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < RETRIES_MAX && isPassing(error),
    },
    mutations: { networkMode: 'always' },
  },
});

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  context: { queryClient },
  // What no screen reads is taken out of the address; else it would come to the screen unread.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingComponent: PendingPage,
  // Most come sooner, and are not announced.
  defaultPendingMs: 400,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** The session ended meanwhile: the next stop is the door, and back here after it. */
function leaveWhenSignedOut(error: unknown): void {
  if (!(error instanceof ApiProblem) || error.code !== 'not-signed-in') return;
  const { pathname, searchStr } = router.state.location;
  if (pathname === '/sign-in') return;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { next: `${pathname}${searchStr}` } });
}
