import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LIVE_MS, useCall } from '../../api/use-call.ts';
import { DeliveryTable } from '../../deliveries/delivery-table.tsx';
import { StrongLink } from '../../ui/controls/links.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { Panel } from '../../ui/page/panel.tsx';

/** Lists the endpoint's latest deliveries, updated live. */
export function LatestDeliveries({ endpointId }: { endpointId: string }): ReactNode {
  const page = useCall(
    'deliveries-list',
    { query: { endpointId, limit: 8 } },
    { everyMs: LIVE_MS },
  );
  return (
    <Panel
      title="Latest deliveries"
      isFlush
      aside={
        <StrongLink to="/deliveries" search={{ endpoint: endpointId }}>
          View all
        </StrongLink>
      }
    >
      <Loaded query={page}>
        {({ deliveries }) => (
          <DeliveryTable
            deliveries={deliveries}
            endpoints={new Map()}
            hidesEndpoint
            empty={
              <Text size="sm" c="dimmed" px="lg" py="md">
                No deliveries yet. Send a test to check your endpoint.
              </Text>
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}
