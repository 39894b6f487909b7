import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { System } from '../api/calls.gen.ts';
import { formatHere, formatNewYork } from '../format/time.ts';
import { DetailList } from '../ui/values/detail-list.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';

/**
 * The largest acceptable difference between the clocks. A larger difference breaks quotas,
 * schedules, and signatures.
 */
const CLOCK_OFF_MS = 2 * 60_000;

/**
 * Shows the service's version, uptime, and clock. `readAt` is the browser time at which the report
 * arrived.
 */
export function ServicePanel(props: { system: System; readAt: number }): ReactNode {
  const { version, dataSource, startedAt, now } = props.system;
  return (
    <Panel title="Service">
      <DetailList
        items={[
          { name: 'Version', value: version },
          { name: 'Data', value: dataSource },
          { name: 'Started', value: <RelativeTime at={startedAt} /> },
          {
            name: 'Clock',
            value: (
              <>
                {formatHere(now)}
                <Text size="xs" c="dimmed">
                  {formatNewYork(now)}
                </Text>
                <ClockState offMs={Date.parse(now) - props.readAt} />
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function ClockState({ offMs }: { offMs: number }): ReactNode {
  if (Math.abs(offMs) <= CLOCK_OFF_MS)
    return <StatusBadge tone="good">in sync with your clock</StatusBadge>;
  const minutes = Math.round(Math.abs(offMs) / 60_000);
  const side = offMs > 0 ? 'ahead of' : 'behind';
  return (
    <StatusBadge tone="warn">
      {minutes} minutes {side} your clock
    </StatusBadge>
  );
}
