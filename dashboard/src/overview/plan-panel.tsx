import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { formatDay } from '../format/time.ts';
import { StrongLink } from '../ui/controls/links.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { planSummary } from '../plans/plan-summary.ts';
import { QuotaMeter } from './quota-meter.tsx';

/** Shows the account's plan and quota usage. */
export function PlanPanel({ account }: { account: Account }): ReactNode {
  const { plan, quotas, historyFrom, state } = account;
  return (
    <Panel
      title={`Plan: ${plan.name}`}
      aside={
        state === 'suspended' ? (
          <StatusBadge tone="bad">suspended</StatusBadge>
        ) : (
          <StrongLink to="/usage">Usage</StrongLink>
        )
      }
    >
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          {planSummary(plan)}
          {historyFrom !== null &&
            ` Data since ${formatDay(historyFrom)} ${historyFrom.slice(0, 4)}.`}
        </Text>
        {quotas.map((quota) => (
          <QuotaMeter key={quota.window} quota={quota} />
        ))}
        {quotas.length > 0 && (
          <Text size="xs" c="dimmed">
            Hatched: projected usage. Line: even usage.
          </Text>
        )}
        {quotas.length === 0 && (
          <Text size="sm">
            The only limit is {plan.perMinute} requests in any 60 seconds. The RateLimit response
            header shows how many remain.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
