import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { endpointName } from '../deliveries/use-endpoint-names.ts';
import { useCustomerId } from '../session/customer.ts';
import { Facts } from '../ui/facts.tsx';
import { AnchorLink } from '../ui/links.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Mark } from '../ui/mark.tsx';
import { Panel } from '../ui/panel.tsx';

const SHOWN_MAX = 6;

/** The endpoints of a customer, those in trouble first. */
export function CustomerWebhooks(): ReactNode {
  const customer = useCustomerId() ?? '';
  const endpoints = useCall('webhooks-list', {}, { everyMs: CALM_MS });
  return (
    <Panel
      title="Webhooks"
      aside={
        <AnchorLink to="/deliveries" search={{ customer }} size="sm" fw={550}>
          Deliveries
        </AnchorLink>
      }
    >
      <Loaded query={endpoints} height={80}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              No endpoint. They add one themselves, or you do in their dashboard.
            </Text>
          ) : (
            <Stack gap="md">
              <Facts
                items={rows
                  .toSorted((a, b) => troubleOf(b) - troubleOf(a))
                  .slice(0, SHOWN_MAX)
                  .map((endpoint) => ({
                    name: endpointName(endpoint),
                    value: <Standing of={endpoint} />,
                  }))}
              />
              <AnchorLink to="/webhooks" search={{ customer }} size="sm" fw={550}>
                {rows.length === 1 ? 'Its endpoint' : `All ${rows.length} endpoints`}
              </AnchorLink>
            </Stack>
          )
        }
      </Loaded>
    </Panel>
  );
}

function troubleOf({ state, failingSince }: WebhookEndpoint): number {
  if (state === 'disabled') return 1;
  return failingSince === null ? 0 : 2;
}

function Standing({ of: endpoint }: { of: WebhookEndpoint }): ReactNode {
  if (endpoint.state === 'disabled') return <Mark tone="warn">disabled</Mark>;
  if (endpoint.failingSince !== null) return <Mark tone="bad">failing</Mark>;
  if (endpoint.lastSuccessAt === null) return <Mark tone="plain">nothing delivered yet</Mark>;
  return <Mark tone="good">answers</Mark>;
}
