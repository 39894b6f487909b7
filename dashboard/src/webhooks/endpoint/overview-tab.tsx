import { Collapse, Group, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { CALM_MS, useCall } from '../../api/use-call.ts';
import { zoneHere } from '../../format/time.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { useNow } from '../../ui/values/use-now.ts';
import { fillSlices } from '../attempt-slices.ts';
import { FiguresTable } from './figures-table.tsx';
import { HealthPanel } from './health-panel.tsx';
import { LatencyChart } from './latency-chart.tsx';
import { LatestDeliveries } from './latest-deliveries.tsx';
import { SuccessChart } from './success-chart.tsx';

const RANGES = {
  '24h': { label: '24 h', days: 1, by: 'hour' },
  '7d': { label: '7 days', days: 7, by: 'hour' },
  '30d': { label: '30 days', days: 30, by: 'day' },
} as const;

/** Shows the endpoint's health, attempt statistics, and latest deliveries. */
export function OverviewTab({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const [range, setRange] = useState<keyof typeof RANGES>('24h');
  const [isTable, table] = useDisclosure(false);
  const { days, by } = RANGES[range];
  const now = useNow();
  // Rounds to the minute, so that the query doesn't change with every render.
  const to = Math.floor(now / 60_000) * 60_000;
  const from = new Date(to - days * 86_400_000).toISOString();
  const figures = useCall(
    'delivery-stats-read',
    { query: { endpointId: endpoint.id, by, from } },
    { everyMs: CALM_MS, keepsPrevious: true },
  );
  return (
    <Stack gap="lg">
      <HealthPanel endpoint={endpoint} />
      <Panel
        title="Attempts over time"
        aside={
          <SegmentedControl
            size="xs"
            aria-label="Period"
            data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
            value={range}
            onChange={(value) => setRange(value in RANGES ? (value as keyof typeof RANGES) : '24h')}
          />
        }
      >
        <Loaded query={figures} height={420}>
          {({ endpoints: [stats], ...span }) => {
            const slices = fillSlices(stats?.slices ?? [], span);
            return (
              <Stack gap="md">
                <SuccessChart slices={slices} step={span.by} />
                <Text size="sm" fw={550}>
                  Duration
                </Text>
                <LatencyChart slices={slices} step={span.by} />
                <Text size="xs" c="dimmed">
                  {span.by === 'day' ? 'Days in New York time' : `Times in ${zoneHere(now)}`}
                </Text>
                <Group>
                  <UnstyledButton onClick={table.toggle} aria-expanded={isTable} fz="sm" c="bell">
                    {isTable ? 'Hide table' : 'Show table'}
                  </UnstyledButton>
                </Group>
                <Collapse expanded={isTable}>
                  <FiguresTable slices={slices} step={span.by} />
                </Collapse>
              </Stack>
            );
          }}
        </Loaded>
      </Panel>
      <LatestDeliveries endpointId={endpoint.id} />
    </Stack>
  );
}
