import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { formatDate } from '../format/day.ts';
import { QuotaMeter } from '../overview/quota-meter.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { planSummary } from '../plans/plan-summary.ts';
import { PlanDialog } from './plan-dialog.tsx';

/** Shows the customer's plan and quota usage. */
export function CustomerPlan({ customer }: { customer: Account }): ReactNode {
  const { plan, quotas, historyFrom } = customer;
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Panel
      title={`Plan: ${plan.name}`}
      aside={
        <Button size="xs" variant="default" onClick={open}>
          Change plan
        </Button>
      }
    >
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          {planSummary(plan)}
          {historyFrom !== null && ` Data since ${formatDate(historyFrom)}.`}
        </Text>
        {quotas.map((quota) => (
          <QuotaMeter key={quota.window} quota={quota} />
        ))}
      </Stack>
      <PlanDialog customer={customer} isOpen={isOpen} onClose={close} />
    </Panel>
  );
}
