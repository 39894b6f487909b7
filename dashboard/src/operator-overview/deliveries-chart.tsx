import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { formatCount } from '../format/number.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { HourChart } from './hour-chart.tsx';
import { byHour, firstHour } from './hours.ts';

const OUTCOMES = [
  { name: 'delivered', label: 'Delivered', color: 'var(--chart-1)' },
  { name: 'failed', label: 'Failed', color: 'var(--chart-4)' },
];

/** Charts delivery attempts by hour, across all customers. */
export function DeliveriesChart(): ReactNode {
  const now = useNow();
  const query = { by: 'hour', from: firstHour(now) } as const;
  const options = { everyMs: CALM_MS, keepsPrevious: true };
  const figures = useCall('system-delivery-stats-read', { query }, options);
  return (
    <Panel title="Delivery attempts, last 24 hours">
      <Loaded query={figures} height={320}>
        {({ delivered, failed, slices }) => {
          const total = delivered + failed;
          if (total === 0) {
            return (
              <Text size="sm" c="dimmed">
                No delivery attempts in the last 24 hours.
              </Text>
            );
          }
          const rows = slices.flatMap(({ at, ...counts }) =>
            OUTCOMES.map(({ name }) => ({
              at,
              name,
              requests: name === 'failed' ? counts.failed : counts.delivered,
            })),
          );
          return (
            <HourChart
              caption={`${formatCount(total)} attempts in 24 hours, ${formatCount(failed)} failed`}
              hours={byHour(
                rows,
                OUTCOMES.map(({ name }) => name),
                now,
              )}
              series={OUTCOMES.filter(({ name }) => name === 'delivered' || failed > 0)}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}
