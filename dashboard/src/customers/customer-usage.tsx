import { Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { stepsBetween } from '../format/new-york.ts';
import { formatCount } from '../format/number.ts';
import { useCustomerId } from '../session/customer.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { StrongLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { seriesOf } from '../usage/series.ts';
import { UsageChart } from '../usage/usage-chart.tsx';
import { selectionFrom } from '../usage/usage-search.ts';

/** Shows requests from the last 30 days by status class. */
export function CustomerUsage(): ReactNode {
  const customer = useCustomerId() ?? '';
  const { query, from, to, step } = selectionFrom({}, useNow());
  const usage = useCall('usage-read', { query }, { everyMs: CALM_MS, keepsPrevious: true });
  return (
    <Panel
      title="Requests, last 30 days"
      aside={
        <StrongLink to="/usage" search={{ customer }}>
          View usage
        </StrongLink>
      }
    >
      <Loaded query={usage} height={280}>
        {({ rows }) => {
          const table = seriesOf(rows, stepsBetween(from, to, step), (name) => name);
          if (table.total === 0) {
            return (
              <EmptyState icon={<IconChartBar size={24} />} title="No requests in the last 30 days">
                Requests with the customer’s API keys appear here within a second.
              </EmptyState>
            );
          }
          return (
            <>
              <UsageChart table={table} step={step} />
              <Text size="xs" c="dimmed">
                {formatCount(table.total)} requests. Days in New York time.
              </Text>
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
