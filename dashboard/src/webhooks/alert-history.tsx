import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookAlert, WebhookEndpoint } from '../api/calls.gen.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { endpointName } from '../deliveries/use-endpoint-names.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { Mark, type Tone } from '../ui/values/mark.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { Panel } from '../ui/page/panel.tsx';

const KINDS: Readonly<Record<WebhookAlert['kind'], { tone: Tone; text: string }>> = {
  failing: { tone: 'warn', text: 'failing' },
  failing_24h: { tone: 'bad', text: 'failing for a day' },
  failing_72h: { tone: 'bad', text: 'failing for three days' },
  disabled: { tone: 'bad', text: 'disabled' },
  recovered: { tone: 'good', text: 'recovered' },
};

/** What endpoints suffered and how it ended, newest first. */
export function AlertHistory({ endpoints }: { endpoints: readonly WebhookEndpoint[] }): ReactNode {
  const [before, setBefore] = useState<number | null>(null);
  const query = { limit: 10, ...(before === null ? {} : { before }) };
  const options = { everyMs: CALM_MS, keepsPrevious: true };
  const page = useCall('webhook-alerts-list', { query }, options);
  const names = new Map(endpoints.map((endpoint) => [endpoint.id, endpointName(endpoint)]));
  return (
    <Panel title="What endpoints suffered" isFlush>
      <Loaded query={page}>
        {({ alerts, next }) => (
          <>
            <DataTable
              caption="Alerts, newest first"
              rows={alerts}
              keyOf={({ id }) => String(id)}
              empty={
                <Text size="sm" c="dimmed" px="lg" py="sm">
                  Nothing so far. An endpoint appears here after four failures in a row, and when it
                  is well again.
                </Text>
              }
              columns={[
                { name: 'When', render: ({ at }) => <Moment at={at} /> },
                {
                  name: 'Endpoint',
                  render: ({ endpointId }) => (
                    <LongText>{names.get(endpointId) ?? 'taken out'}</LongText>
                  ),
                },
                {
                  name: 'What',
                  render: ({ kind }) => <Mark tone={KINDS[kind].tone}>{KINDS[kind].text}</Mark>,
                },
                { name: 'In words', isExtra: true, render: ({ detail }) => detail },
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
