import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { useCall } from '../../api/use-call.ts';
import { formatCount } from '../../format/number.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { AddSymbols } from './add-symbols.tsx';
import { SubscriptionList } from './subscription-list.tsx';

/** Adds, lists, and removes the endpoint's subscriptions. */
export function SubscriptionsTab({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const templates = useCall('webhook-templates-list', {});
  return (
    <Stack gap="lg">
      <Panel title="Add subscriptions">
        <Loaded query={templates}>
          {(templateList) => <AddSymbols endpointId={endpoint.id} templates={templateList} />}
        </Loaded>
      </Panel>
      <Panel title={`Subscriptions (${formatCount(endpoint.subscriptionCount)})`} isFlush>
        <SubscriptionList endpointId={endpoint.id} />
      </Panel>
    </Stack>
  );
}
