import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CALM_MS, useCall } from '../../../../api/use-call.ts';
import { CustomerFilter } from '../../../../customers/customer-filter.tsx';
import { CustomerForm } from '../../../../customers/customer-form.tsx';
import { type CustomerSearch, readCustomerSearch } from '../../../../customers/customer-search.ts';
import { CustomerTable } from '../../../../customers/customer-table.tsx';
import { NoCustomers } from '../../../../customers/no-customers.tsx';
import { useDayRequests } from '../../../../customers/use-day-requests.ts';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';
import { Pager } from '../../../../ui/tables/pager.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';

const PAGE = 25;

export const Route = createFileRoute('/_app/operator/customers/')({
  validateSearch: readCustomerSearch,
  component: Customers,
});

function Customers(): ReactNode {
  const { search, after } = Route.useSearch();
  const navigate = Route.useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const requests = useDayRequests();
  const plans = useCall('plans-list', {});
  const query = { limit: PAGE, ...Route.useSearch() };
  const options = { everyMs: CALM_MS, keepsPrevious: true };
  const page = useCall('customers-list', { query }, options);
  const searchFilter = search === undefined ? {} : { search };
  const show = (to: CustomerSearch): void => void navigate({ search: to });
  const startCreating = (): void => setIsCreating(true);

  return (
    <Page
      title="Customers"
      lead="Accounts with their plan and usage."
      actions={<NewCustomerButton onClick={startCreating} />}
    >
      <CustomerFilter
        value={search ?? ''}
        onChange={(text) => show(text === '' ? {} : { search: text })}
      />
      <Panel isFlush>
        <Loaded query={page} height={420}>
          {({ customers, next }) => (
            <>
              <CustomerTable
                customers={customers}
                requests={requests}
                empty={
                  <NoCustomers
                    isSearched={search !== undefined}
                    onClear={() => show({})}
                    onCreate={startCreating}
                  />
                }
              />
              <Pager
                nextName="Next"
                onFirst={after === undefined ? null : () => show(searchFilter)}
                onNext={next === null ? null : () => show({ ...searchFilter, after: next })}
              />
            </>
          )}
        </Loaded>
      </Panel>
      <CustomerForm
        plans={plans.data ?? []}
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={({ id }) =>
          void navigate({ to: '/operator/customers/$customerId', params: { customerId: id } })
        }
      />
    </Page>
  );
}

function NewCustomerButton({ onClick }: { onClick: () => void }): ReactNode {
  return (
    <Button leftSection={<IconPlus size={16} />} onClick={onClick}>
      New customer
    </Button>
  );
}
