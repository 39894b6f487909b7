import { Anchor } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LIVE_MS, useCall } from '../../../../api/use-call.ts';
import { AttemptList } from '../../../../deliveries/attempt/attempt-list.tsx';
import { DeliveryDetails } from '../../../../deliveries/delivery-details.tsx';
import { RedeliverButton } from '../../../../deliveries/redeliver-button.tsx';
import { endpointName } from '../../../../deliveries/use-endpoint-names.ts';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';

export const Route = createFileRoute('/_app/_account/deliveries/$deliveryId')({
  component: DeliveryScreen,
});

function DeliveryScreen(): ReactNode {
  const { deliveryId } = Route.useParams();
  const path = { deliveryId };
  const delivery = useCall('deliveries-read', { path }, { everyMs: LIVE_MS });
  const endpoints = useCall('webhooks-list', {});
  const { data } = delivery;
  const endpoint = endpoints.data?.find(({ id }) => id === data?.endpointId) ?? null;
  // While the endpoints load, this endpoint must not be shown as deleted.
  const unnamed = endpoints.data === undefined ? '…' : null;
  return (
    <Page
      title={data === undefined ? 'Delivery' : `${data.symbol}${data.test ? ' (test)' : ''}`}
      lead={
        <Anchor component={Link} to="/deliveries" size="sm">
          All deliveries
        </Anchor>
      }
      actions={
        data === undefined || endpoint === null ? undefined : <RedeliverButton delivery={data} />
      }
    >
      <Loaded query={delivery} height={480}>
        {(detail) => (
          <>
            <Panel title="Details">
              <DeliveryDetails
                delivery={detail}
                endpointName={endpoint === null ? unnamed : endpointName(endpoint)}
              />
            </Panel>
            <Panel title="Attempts" isFlush>
              <AttemptList delivery={detail} url={endpoint?.url ?? unnamed} />
            </Panel>
          </>
        )}
      </Loaded>
    </Page>
  );
}
