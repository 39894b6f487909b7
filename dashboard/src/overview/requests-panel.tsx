import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { startOfStep } from '../format/new-york.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { StrongLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { SparkBars } from '../ui/charts/spark-bars.tsx';
import { Stat } from '../ui/values/stat.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { lastDayOf } from './last-day.ts';

const DAY_MS = 86_400_000;

/** Shows requests from the last 24 hours by hour. */
export function RequestsPanel(): ReactNode {
  const now = useNow();
  // Rounds to the hour, so that the query stays the same for an hour.
  const from = new Date(startOfStep(now, 'hour') - DAY_MS + 3_600_000).toISOString();
  const usage = useCall(
    'usage-read',
    { query: { by: 'hour', split: 'status-class', from } },
    { everyMs: CALM_MS, keepsPrevious: true },
  );
  return (
    <Panel
      title="Requests, last 24 hours"
      aside={<StrongLink to="/requests">Request log</StrongLink>}
    >
      <Loaded query={usage} height={90}>
        {({ rows }) => {
          const { hours, total, failed } = lastDayOf(rows, now);
          return (
            <>
              <Group justify="space-between" align="flex-end" wrap="nowrap" gap="lg">
                <Stat name="Requests" value={formatCount(total)} />
                <SparkBars
                  values={hours}
                  width={190}
                  height={48}
                  label={`${formatCount(total)} requests in the last 24 hours, peak ${formatCount(Math.max(...hours))} in one hour.`}
                />
              </Group>
              <Text size="sm" c="dimmed" mt="sm">
                {total === 0
                  ? 'No requests in the last 24 hours.'
                  : failed === 0
                    ? 'No errors.'
                    : `${formatCount(failed)} ${failed === 1 ? 'error' : 'errors'} (4xx or 5xx), ${formatShare(failed / total)}.`}
              </Text>
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
