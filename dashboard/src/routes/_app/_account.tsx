import { Alert } from '@mantine/core';
import { createFileRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router';
import { useCall } from '../../api/use-call.ts';
import type { ReactNode } from 'react';
import { CustomerProvider } from '../../session/customer.ts';
import { useSession } from '../../session/session.ts';
import { ACCOUNT_NAV } from '../../shell/nav.ts';
import { Shell } from '../../shell/shell.tsx';
import { AnchorLink } from '../../ui/controls/links.tsx';

interface AccountSearch {
  /** The ID of the account that an operator is viewing. Customers always see their own account. */
  customer?: string;
}

export const Route = createFileRoute('/_app/_account')({
  validateSearch: ({ customer }: Record<string, unknown>): AccountSearch =>
    typeof customer === 'string' ? { customer } : {},
  search: { middlewares: [retainSearchParams(['customer'])] },
  beforeLoad({ context, search }) {
    const isOperator = context.person.role === 'operator';
    if (isOperator && search.customer === undefined) throw redirect({ to: '/operator' });
  },
  component: AccountShell,
});

function AccountShell(): ReactNode {
  const { customer: requested } = Route.useSearch();
  // Customers can only view their own account, so the parameter is ignored for them.
  const customer = useSession().role === 'operator' ? requested : undefined;
  return (
    <CustomerProvider value={customer ?? null}>
      <Shell
        groups={ACCOUNT_NAV}
        home="/"
        customer={customer}
        banner={customer === undefined ? null : <OperatorBanner customerId={customer} />}
      >
        <Outlet />
      </Shell>
    </CustomerProvider>
  );
}

/** Shows a banner on every page while an operator views a customer's account. */
function OperatorBanner({ customerId }: { customerId: string }): ReactNode {
  const { data } = useCall('account-read', {});
  return (
    <Alert variant="light" color="gray" maw={1240} mx="auto" mb="lg" p="xs" px="md">
      You’re viewing <b>{data?.name ?? '…'}</b> as an operator.{' '}
      <AnchorLink
        to="/operator/customers/$customerId"
        params={{ customerId }}
        size="sm"
        underline="always"
      >
        Back to console
      </AnchorLink>
    </Alert>
  );
}
