import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LIVE_MS, useCall } from '../../../../api/use-call.ts';
import { DeliveryFilters } from '../../../../deliveries/delivery-filters.tsx';
import {
  type DeliverySearch,
  isFiltered,
  readDeliverySearch,
  toDeliveryQuery,
} from '../../../../deliveries/delivery-search.ts';
import { DeliveryTable } from '../../../../deliveries/delivery-table.tsx';
import { NoDeliveries } from '../../../../deliveries/no-deliveries.tsx';
import { useEndpointNames } from '../../../../deliveries/use-endpoint-names.ts';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';
import { Pager } from '../../../../ui/tables/pager.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { useNow } from '../../../../ui/values/use-now.ts';

export const Route = createFileRoute('/_app/_account/deliveries/')({
  validateSearch: readDeliverySearch,
  component: Deliveries,
});

function Deliveries(): ReactNode {
  const { customer: _, before, ...filters } = Route.useSearch();
  const navigate = Route.useNavigate();
  const now = useNow();
  const endpoints = useEndpointNames();
  const query = toDeliveryQuery({ ...filters, ...(before === undefined ? {} : { before }) }, now);
  const options = { everyMs: LIVE_MS, keepsPrevious: true };
  const page = useCall('deliveries-list', { query }, options);
  // The router keeps the `customer` parameter.
  const show = (search: DeliverySearch): void => void navigate({ search });

  return (
    <Page
      title="Deliveries"
      lead="Webhook deliveries to your endpoints and their responses. The list updates automatically."
    >
      <DeliveryFilters value={filters} endpoints={endpoints ?? new Map()} onChange={show} />
      <Panel isFlush>
        <Loaded query={page} height={420}>
          {({ deliveries, next }) => (
            <>
              <DeliveryTable
                deliveries={deliveries}
                endpoints={endpoints}
                empty={<NoDeliveries isFiltered={isFiltered(filters)} onClear={() => show({})} />}
              />
              <Pager
                onFirst={before === undefined ? null : () => show(filters)}
                onNext={next === null ? null : () => show({ ...filters, before: next })}
              />
            </>
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}
