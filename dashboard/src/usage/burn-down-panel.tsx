import { SegmentedControl, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { BurnDownChart } from './burn-down-chart.tsx';

/** Shows how each of the plan's quotas was used over its window. */
export function BurnDownPanel(): ReactNode {
  const account = useCall('account-read', {}, { everyMs: CALM_MS });
  const [selected, setSelected] = useState<'day' | 'month'>('month');
  const quotas = account.data?.quotas ?? [];
  const quota = quotas.find(({ window }) => window === selected) ?? quotas[0];
  return (
    <Panel
      title="Quota"
      aside={
        quotas.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label="Quota"
            value={quota?.window ?? 'month'}
            onChange={(value) => setSelected(value === 'day' ? 'day' : 'month')}
            data={[
              { value: 'day', label: 'Day' },
              { value: 'month', label: 'Month' },
            ]}
          />
        ) : undefined
      }
    >
      <Loaded query={account} height={240}>
        {({ plan }) =>
          quota === undefined ? (
            <Text size="sm" c="dimmed">
              The {plan.name} plan has no daily or monthly limit. The only limit is {plan.perMinute}{' '}
              requests in any 60 seconds.
            </Text>
          ) : (
            <BurnDownChart key={quota.window} quota={quota} />
          )
        }
      </Loaded>
    </Panel>
  );
}
