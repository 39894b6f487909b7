import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { endpointName } from '../deliveries/use-endpoint-names.ts';
import { AnchorLink, StrongLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { endpointStatus } from '../webhooks/endpoint-status.ts';

const SHOWN_MAX = 5;

/** Lists the endpoints, failing ones first, and shows the last failed delivery. */
export function WebhooksPanel({ endpoints }: { endpoints: readonly WebhookEndpoint[] }): ReactNode {
  const failed = useCall(
    'deliveries-list',
    { query: { state: 'failed', limit: 1 } },
    { everyMs: CALM_MS },
  );
  const visible = endpoints.toSorted((a, b) => urgency(b) - urgency(a)).slice(0, SHOWN_MAX);
  return (
    <Panel
      title="Webhooks"
      aside={
        <StrongLink to="/webhooks">
          {endpoints.length > SHOWN_MAX ? `View all ${endpoints.length}` : 'Endpoints'}
        </StrongLink>
      }
    >
      {endpoints.length === 0 ? (
        <Text size="sm" c="dimmed">
          No endpoints yet. Add one to be notified when a report date moves or results are
          published, instead of polling.
        </Text>
      ) : (
        <Stack gap="sm">
          {visible.map((endpoint) => (
            <EndpointLine key={endpoint.id} endpoint={endpoint} />
          ))}
          <Loaded query={failed} height={20}>
            {({ deliveries: [last] }) => (
              <Text size="sm" c="dimmed" component="div">
                {last === undefined ? (
                  'No failed deliveries.'
                ) : (
                  <>
                    Last failed:{' '}
                    <AnchorLink
                      to="/deliveries/$deliveryId"
                      params={{ deliveryId: last.id }}
                      size="sm"
                    >
                      {last.symbol}, {last.eventType}
                    </AnchorLink>{' '}
                    <RelativeTime at={last.createdAt} />
                  </>
                )}
              </Text>
            )}
          </Loaded>
        </Stack>
      )}
    </Panel>
  );
}

function EndpointLine({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { id, lastSuccessAt } = endpoint;
  const { tone, text } = endpointStatus(endpoint);
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <StrongLink to="/webhooks/$endpointId" params={{ endpointId: id }} truncate display="block">
          {endpointName(endpoint)}
        </StrongLink>
        <Text size="xs" c="dimmed" component="div">
          Last delivered: <RelativeTime at={lastSuccessAt} />
        </Text>
      </div>
      <StatusBadge tone={tone}>{text}</StatusBadge>
    </Group>
  );
}

function urgency({ failingSince, state }: WebhookEndpoint): number {
  if (failingSince !== null) return 2;
  return state === 'disabled' ? 0 : 1;
}
