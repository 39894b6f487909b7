import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { planSummary } from '../plans/plan-summary.ts';

/** The account selected in the first step. */
export function SelectedAccount(props: {
  account: Account;
  onChange: (() => void) | null;
}): ReactNode {
  const { account, onChange } = props;
  return (
    <Group gap="sm" justify="space-between">
      <div>
        <Text size="sm" fw={550}>
          {account.name}
        </Text>
        <Text size="sm" c="dimmed">
          Plan {account.plan.name}: {planSummary(account.plan)}
        </Text>
      </div>
      {onChange !== null && (
        <Button variant="subtle" size="xs" onClick={onChange}>
          Change
        </Button>
      )}
    </Group>
  );
}
