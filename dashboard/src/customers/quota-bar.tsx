import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Account, Quota } from '../api/calls.gen.ts';
import { formatCompact, formatShare } from '../format/number.ts';
import { ShareBar } from './share-bar.tsx';

const NEAR = 0.8;

/** A compact bar of the daily or monthly quota. */
export function QuotaBar(props: { customer: Account; window: Quota['window'] }): ReactNode {
  const quota = props.customer.quotas.find(({ window }) => window === props.window);
  if (quota === undefined) {
    return (
      <Text span size="sm" c="dimmed">
        No limit
      </Text>
    );
  }
  const { used, limit } = quota;
  const share = limit === 0 ? 1 : used / limit;
  return (
    <ShareBar
      share={share}
      text={`${formatCompact(used)} of ${formatCompact(limit)}`}
      note={used >= limit ? 'exceeded' : formatShare(share)}
      tone={used >= limit ? 'bad' : share >= NEAR ? 'warn' : 'plain'}
    />
  );
}
