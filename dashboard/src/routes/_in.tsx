import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../session/session.ts';

/** Behind the door: who is not signed in is sent there, and back after it. */
export const Route = createFileRoute('/_in')({
  async beforeLoad({ context, location }) {
    const person = await context.queryClient.ensureQueryData(sessionQuery);
    if (person === null) {
      const next = `${location.pathname}${location.searchStr}`;
      throw redirect({ to: '/sign-in', search: next === '/' ? {} : { next } });
    }
    return { person };
  },
  component: Outlet,
});
