import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookAlert, WebhookEndpoint } from '../api/calls.gen.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { endpointName } from '../deliveries/use-endpoint-names.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { StatusBadge, type Tone } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { Panel } from '../ui/page/panel.tsx';

const KINDS: Readonly<Record<WebhookAlert['kind'], { tone: Tone; text: string }>> = {
  failing: { tone: 'warn', text: 'failing' },
  failing_24h: { tone: 'bad', text: 'failing for 1 day' },
  failing_72h: { tone: 'bad', text: 'failing for 3 days' },
  disabled: { tone: 'bad', text: 'disabled' },
  recovered: { tone: 'good', text: 'recovered' },
};

/** Lists the alerts for the endpoints, newest first. */
export function AlertHistory({ endpoints }: { endpoints: readonly WebhookEndpoint[] }): ReactNode {
  const [before, setBefore] = useState<number | null>(null);
  const query = { limit: 10, ...(before === null ? {} : { before }) };
  const options = { everyMs: CALM_MS, keepsPrevious: true };
  const page = useCall('webhook-alerts-list', { query }, options);
  const names = new Map(endpoints.map((endpoint) => [endpoint.id, endpointName(endpoint)]));
  return (
    <Panel title="Alert history" isFlush>
      <Loaded query={page}>
        {({ alerts, next }) => (
          <>
            <DataTable
              caption="Alerts, newest first"
              rows={alerts}
              keyOf={({ id }) => String(id)}
              empty={
                <Text size="sm" c="dimmed" px="lg" py="sm">
                  No alerts yet. Alerts are sent when an endpoint fails four times in a row, and
                  when it recovers.
                </Text>
              }
              columns={[
                { name: 'Time', render: ({ at }) => <RelativeTime at={at} /> },
                {
                  name: 'Endpoint',
                  render: ({ endpointId }) => (
                    <LongText>{names.get(endpointId) ?? 'Deleted'}</LongText>
                  ),
                },
                {
                  name: 'Alert',
                  render: ({ kind }) => (
                    <StatusBadge tone={KINDS[kind].tone}>{KINDS[kind].text}</StatusBadge>
                  ),
                },
                { name: 'Details', isExtra: true, render: ({ detail }) => detail },
              ]}
            />
            <Pager
              onFirst={before === null ? null : () => setBefore(null)}
              onNext={next === null ? null : () => setBefore(next)}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
