import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Account } from '../../../../api/calls.gen.ts';
import { CALM_MS, useCall } from '../../../../api/use-call.ts';
import { CustomerActions } from '../../../../customers/customer-actions.tsx';
import { CustomerAudit } from '../../../../customers/customer-audit.tsx';
import { CustomerKeys } from '../../../../customers/customer-keys.tsx';
import { CustomerAlerts } from '../../../../customers/customer-alerts.tsx';
import { CustomerPlan } from '../../../../customers/customer-plan.tsx';
import { CustomerUsage } from '../../../../customers/customer-usage.tsx';
import { CustomerWebhooks } from '../../../../customers/customer-webhooks.tsx';
import { DeleteCustomer } from '../../../../customers/delete-customer.tsx';
import { PeoplePanels } from '../../../../people/people-panels.tsx';
import { CustomerProvider } from '../../../../session/customer.ts';
import { AnchorLink } from '../../../../ui/controls/links.tsx';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { RelativeTime } from '../../../../ui/values/relative-time.tsx';
import { Page } from '../../../../ui/page/page.tsx';
import { TwoColumns } from '../../../../ui/page/two-columns.tsx';

export const Route = createFileRoute('/_app/operator/customers/$customerId')({
  component: CustomerScreen,
});

function CustomerScreen(): ReactNode {
  const { customerId } = Route.useParams();
  const path = { customerId };
  const customer = useCall('customers-read', { path }, { everyMs: CALM_MS });
  const { data } = customer;
  return (
    <Page
      title={data?.name ?? 'Customer'}
      lead={
        <>
          <AnchorLink to="/operator/customers" inherit underline="always">
            All customers
          </AnchorLink>
          {data !== undefined && (
            <>
              {' '}
              · created <RelativeTime at={data.createdAt} /> · {data.id}
            </>
          )}
        </>
      }
      actions={data === undefined ? undefined : <CustomerActions customer={data} />}
    >
      <Loaded query={customer} height={480}>
        {(detail) => (
          <CustomerProvider value={customerId}>
            <CustomerBody customer={detail} />
          </CustomerProvider>
        )}
      </Loaded>
    </Page>
  );
}

function CustomerBody({ customer }: { customer: Account }): ReactNode {
  const keys = useCall('keys-list', {}, { everyMs: CALM_MS });
  const people = useCall('people-list', {}, { everyMs: CALM_MS });
  return (
    <>
      <CustomerAlerts customer={customer} keys={keys.data} people={people.data} />
      <TwoColumns
        main={
          <>
            <CustomerPlan customer={customer} />
            <CustomerUsage />
          </>
        }
        side={
          <>
            <CustomerKeys />
            <CustomerWebhooks />
          </>
        }
      />
      <PeoplePanels scope="account" canChange />
      <CustomerAudit />
      <DeleteCustomer customer={customer} />
    </>
  );
}
