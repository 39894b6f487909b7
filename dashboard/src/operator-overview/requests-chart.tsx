import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { formatCount } from '../format/number.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { HourChart } from './hour-chart.tsx';
import { byHour, firstHour } from './hours.ts';

const CLASSES = [
  { name: '2xx', label: 'Successful (2xx)', color: 'var(--chart-1)' },
  { name: '3xx', label: 'Not modified (304)', color: 'var(--chart-5)' },
  { name: '4xx', label: 'Client errors (4xx)', color: 'var(--chart-3)' },
  { name: '5xx', label: 'Server errors (5xx)', color: 'var(--chart-4)' },
];

/** Charts requests by hour, across all customers. */
export function RequestsChart(): ReactNode {
  const now = useNow();
  const query = { by: 'hour', split: 'status-class', from: firstHour(now) } as const;
  const usage = useCall('system-usage-read', { query }, { everyMs: CALM_MS, keepsPrevious: true });
  return (
    <Panel title="Requests, last 24 hours">
      <Loaded query={usage} height={320}>
        {({ rows }) => {
          const total = rows.reduce((sum, { requests }) => sum + requests, 0);
          if (total === 0) {
            return (
              <Text size="sm" c="dimmed">
                No requests in the last 24 hours.
              </Text>
            );
          }
          const names = CLASSES.map(({ name }) => name);
          return (
            <HourChart
              caption={`${formatCount(total)} requests in 24 hours`}
              hours={byHour(rows, names, now)}
              series={CLASSES.filter(({ name }) => rows.some((row) => row.name === name))}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}
