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
  /** The ID of the account that an operator is viewing. */
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
  const session = useSession();
  // Customers choose an account in the user menu, so the parameter is ignored for them.
  const customer = session.role === 'operator' ? requested : undefined;
  // Calls name the account, so that they fail once the session shows another one.
  return (
    <CustomerProvider value={customer ?? session.customer?.id ?? null}>
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
