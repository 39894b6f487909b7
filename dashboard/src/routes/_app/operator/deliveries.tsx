import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SystemDelivery } from '../../../api/calls.gen.ts';
import { LIVE_MS, useCall } from '../../../api/use-call.ts';
import { CustomerLink } from '../../../customers/customer-link.tsx';
import { CustomerSelect } from '../../../customers/customer-select.tsx';
import { DeliveryFilters } from '../../../deliveries/delivery-filters.tsx';
import { isFiltered, toDeliveryQuery } from '../../../deliveries/delivery-search.ts';
import { DeliveryTable } from '../../../deliveries/delivery-table.tsx';
import { NoSystemDeliveries } from '../../../operator-deliveries/no-system-deliveries.tsx';
import { QueuePanel } from '../../../operator-deliveries/queue-panel.tsx';
import {
  readSystemDeliverySearch,
  type SystemDeliverySearch,
} from '../../../operator-deliveries/system-delivery-search.ts';
import { UnhealthyEndpointsTable } from '../../../operator-deliveries/unhealthy-endpoints-table.tsx';
import { CustomerProvider } from '../../../session/customer.ts';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Pager } from '../../../ui/tables/pager.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { useNow } from '../../../ui/values/use-now.ts';

export const Route = createFileRoute('/_app/operator/deliveries')({
  validateSearch: readSystemDeliverySearch,
  component: Deliveries,
});

function Deliveries(): ReactNode {
  const { customer, before: _, ...filters } = Route.useSearch();
  const navigate = Route.useNavigate();
  const figures = useCall('webhook-stats-read', {}, { everyMs: LIVE_MS });
  const customerFilter = customer === undefined ? {} : { customer };
  const show = (search: SystemDeliverySearch): void => void navigate({ search });

  return (
    <Page title="Deliveries" lead="Webhook deliveries to the endpoints of all customers.">
      <Loaded query={figures} height={130}>
        {(stats) => (
          <>
            <QueuePanel figures={stats} />
            <Panel title="Endpoints with problems" isFlush>
              <UnhealthyEndpointsTable endpoints={stats.worst} />
            </Panel>
          </>
        )}
      </Loaded>
      <DeliveryFilters
        value={filters}
        endpoints={null}
        onChange={(search) =>
          show({ ...customerFilter, ...readSystemDeliverySearch({ ...search }) })
        }
      >
        <CustomerSelect
          allLabel="All customers"
          value={customer}
          onChange={(id) => show({ ...filters, ...(id === undefined ? {} : { customer: id }) })}
        />
      </DeliveryFilters>
      <Panel isFlush>
        <CustomerProvider value={customer ?? null}>
          <DeliveryLog />
        </CustomerProvider>
      </Panel>
    </Page>
  );
}

function DeliveryLog(): ReactNode {
  const { customer, before, ...filters } = Route.useSearch();
  const navigate = Route.useNavigate();
  const now = useNow();
  const query = toDeliveryQuery({ ...filters, ...(before === undefined ? {} : { before }) }, now);
  const page = useCall(
    'system-deliveries-list',
    { query },
    { everyMs: LIVE_MS, keepsPrevious: true },
  );
  const currentFilters = { ...filters, ...(customer === undefined ? {} : { customer }) };
  const show = (search: SystemDeliverySearch): void => void navigate({ search });
  return (
    <Loaded query={page} height={420}>
      {({ deliveries, next }) => (
        <>
          <DeliveryTable
            deliveries={deliveries}
            endpoints={NO_NAMES}
            hidesEndpoint
            accountOf={accountOf}
            empty={
              <NoSystemDeliveries
                isFiltered={isFiltered(filters) || customer !== undefined}
                onClear={() => show({})}
              />
            }
          />
          <Pager
            onFirst={before === undefined ? null : () => show(currentFilters)}
            onNext={next === null ? null : () => show({ ...currentFilters, before: next })}
          />
        </>
      )}
    </Loaded>
  );
}

/** Endpoint names are shown only on account pages. */
const NO_NAMES: ReadonlyMap<string, string> = new Map();

function accountOf({ customerId }: SystemDelivery): { id: string; label: ReactNode } {
  return { id: customerId, label: <CustomerLink id={customerId} /> };
}
