import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { OPERATOR_NAV } from '../../shell/nav.ts';
import { Shell } from '../../shell/shell.tsx';

/** The operator console, which only operators can open. */
export const Route = createFileRoute('/_app/operator')({
  beforeLoad({ context }) {
    if (context.person.role !== 'operator') throw redirect({ to: '/' });
  },
  component: Console,
});

function Console(): ReactNode {
  return (
    <Shell groups={OPERATOR_NAV} home="/operator">
      <Outlet />
    </Shell>
  );
}
