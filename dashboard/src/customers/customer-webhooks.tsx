import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { endpointName } from '../deliveries/use-endpoint-names.ts';
import { useCustomerId } from '../session/customer.ts';
import { AnchorLink, StrongLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { endpointStatus } from '../webhooks/endpoint-status.ts';

const SHOWN_MAX = 6;

/** Lists a customer's endpoints, failing ones first. */
export function CustomerWebhooks(): ReactNode {
  const customer = useCustomerId() ?? '';
  const endpoints = useCall('webhooks-list', {}, { everyMs: CALM_MS });
  return (
    <Panel
      title="Webhooks"
      aside={
        <StrongLink to="/deliveries" search={{ customer }}>
          Deliveries
        </StrongLink>
      }
    >
      <Loaded query={endpoints} height={80}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              No endpoints. Members can add one, or you can in their dashboard.
            </Text>
          ) : (
            <Stack gap="md">
              {rows
                .toSorted((a, b) => severity(b) - severity(a))
                .slice(0, SHOWN_MAX)
                .map((endpoint) => (
                  <EndpointRow key={endpoint.id} endpoint={endpoint} customer={customer} />
                ))}
              <StrongLink to="/webhooks" search={{ customer }}>
                {rows.length === 1 ? 'View endpoint' : `View all ${rows.length} endpoints`}
              </StrongLink>
            </Stack>
          )
        }
      </Loaded>
    </Panel>
  );
}

function severity({ state, failingSince }: WebhookEndpoint): number {
  if (state === 'disabled') return 1;
  return failingSince === null ? 0 : 2;
}

function EndpointRow(props: { endpoint: WebhookEndpoint; customer: string }): ReactNode {
  const { endpoint, customer } = props;
  const { tone, text } = endpointStatus(endpoint);
  return (
    <Group justify="space-between" gap="xs">
      <LongText>
        <AnchorLink
          to="/webhooks/$endpointId"
          params={{ endpointId: endpoint.id }}
          search={{ customer }}
          size="sm"
        >
          {endpointName(endpoint)}
        </AnchorLink>
      </LongText>
      <StatusBadge tone={tone}>{text}</StatusBadge>
    </Group>
  );
}
