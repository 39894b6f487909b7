import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../session/session.ts';

/**
 * Requires a session. Redirects to sign-in if there is none, and returns to the page afterwards.
 * Until a required second factor is set up, only the page for that can be opened.
 */
export const Route = createFileRoute('/_app')({
  async beforeLoad({ context, location }) {
    const person = await context.queryClient.ensureQueryData(sessionQuery);
    if (person === null) {
      const next = `${location.pathname}${location.searchStr}`;
      throw redirect({ to: '/sign-in', search: next === '/' ? {} : { next } });
    }
    if (person.mustAddSecondFactor && location.pathname !== '/security') {
      throw redirect({ to: '/security' });
    }
    return { person };
  },
  component: Outlet,
});
