import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { sayProblem } from '../api/problem.ts';
import { useAct } from '../api/use-act.ts';
import { useCall } from '../api/use-call.ts';
import { Facts } from '../ui/values/facts.tsx';
import { sayPlan } from '../welcome/say-plan.ts';

/** Changes a customer's plan. */
export function PlanDialog(props: {
  customer: Account;
  isOpen: boolean;
  onClose: () => void;
}): ReactNode {
  const { customer, isOpen, onClose } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const plans = useCall('plans-list', {}, { isEnabled: isOpen });
  const move = useAct('customers-change-plan', {
    refreshes: ['customers-read', 'customers-list', 'account-read', 'audit-list'],
    isQuiet: true,
    onDone: close,
  });
  const next = plans.data?.find(({ name }) => name === chosen);
  const isOther = chosen !== null && chosen !== customer.plan.name;

  function close(): void {
    setChosen(null);
    move.reset();
    onClose();
  }

  return (
    <Modal opened={isOpen} onClose={close} title={`Change plan for ${customer.name}`} size="lg">
      <Stack gap="md">
        {move.error !== null && (
          <Alert color="red" variant="light" role="alert">
            {sayProblem(move.error)}
          </Alert>
        )}
        <Select
          label="Plan"
          data-autofocus
          data={(plans.data ?? []).map(({ name }) => name)}
          value={chosen ?? customer.plan.name}
          onChange={setChosen}
          allowDeselect={false}
        />
        <Facts
          items={[
            { name: 'Current', value: sayPlan(customer.plan) },
            ...(isOther && next !== undefined ? [{ name: 'New', value: sayPlan(next) }] : []),
          ]}
        />
        <Text size="sm" c="dimmed">
          The change applies from the next request. A larger quota keeps its current count. A
          smaller or new quota starts at zero, so the change never locks the customer out.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            disabled={!isOther}
            loading={move.isPending}
            onClick={() =>
              move.mutate({ path: { customerId: customer.id }, body: { plan: chosen ?? '' } })
            }
          >
            Change plan
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
