import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { CreatedWebhookEndpoint } from '../../../../api/calls.gen.ts';
import { CALM_MS, LIVE_MS, useCall } from '../../../../api/use-call.ts';
import { AlertHistory } from '../../../../webhooks/alert-history.tsx';
import { EndpointAlerts } from '../../../../webhooks/endpoint-alerts.tsx';
import { EndpointForm } from '../../../../webhooks/endpoint-form.tsx';
import { EndpointTable } from '../../../../webhooks/endpoint-table.tsx';
import { EndpointCreated } from '../../../../webhooks/endpoint-created.tsx';
import { NoEndpoints } from '../../../../webhooks/no-endpoints.tsx';
import { usePendingDeliveries } from '../../../../webhooks/pending-deliveries.ts';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';

export const Route = createFileRoute('/_app/_account/webhooks/')({ component: Endpoints });

function Endpoints(): ReactNode {
  const endpoints = useCall('webhooks-list', {}, { everyMs: LIVE_MS });
  const figures = useCall('delivery-stats-read', { query: {} }, { everyMs: CALM_MS });
  const pending = usePendingDeliveries();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedWebhookEndpoint | null>(null);
  return (
    <Page
      title="Webhook endpoints"
      lead="Your URLs that receive a signed POST request when the data of a subscribed company changes."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
          New endpoint
        </Button>
      }
    >
      {created !== null && <EndpointCreated endpoint={created} onDone={() => setCreated(null)} />}
      <EndpointAlerts endpoints={endpoints.data ?? []} />
      <Panel isFlush>
        <Loaded query={endpoints} height={280}>
          {(rows) =>
            rows.length === 0 ? (
              <NoEndpoints onCreate={() => setIsCreating(true)} />
            ) : (
              <EndpointTable endpoints={rows} figures={figures.data} pending={pending} />
            )
          }
        </Loaded>
      </Panel>
      {(endpoints.data ?? []).length > 0 && <AlertHistory endpoints={endpoints.data ?? []} />}
      <EndpointForm
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={(next) => {
          setIsCreating(false);
          setCreated(next);
        }}
      />
    </Page>
  );
}
