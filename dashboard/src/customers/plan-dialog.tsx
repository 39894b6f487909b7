import { Modal, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { useCall } from '../api/use-call.ts';
import { DetailList } from '../ui/values/detail-list.tsx';
import { planSummary } from '../plans/plan-summary.ts';
import { DialogButtons, FormError } from '../ui/controls/form-parts.tsx';

interface PlanDialogProps {
  customer: Account;
  isOpen: boolean;
  onClose: () => void;
}

/** Changes a customer's plan. */
export function PlanDialog(props: PlanDialogProps): ReactNode {
  const { customer, isOpen, onClose } = props;
  const [selected, setSelected] = useState<string | null>(null);
  const plans = useCall('plans-list', {}, { isEnabled: isOpen });
  const change = useAction('customers-change-plan', {
    refreshes: ['customers-read', 'customers-list', 'account-read', 'audit-list'],
    isQuiet: true,
    onDone: close,
  });
  const next = plans.data?.find(({ name }) => name === selected);
  const isOther = selected !== null && selected !== customer.plan.name;

  function close(): void {
    setSelected(null);
    change.reset();
    onClose();
  }

  return (
    <Modal opened={isOpen} onClose={close} title={`Change plan for ${customer.name}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ path: { customerId: customer.id }, body: { plan: selected ?? '' } });
        }}
      >
        <Stack gap="md">
          <FormError error={change.error} />
          <Select
            label="Plan"
            data-autofocus
            data={(plans.data ?? []).map(({ name }) => name)}
            value={selected ?? customer.plan.name}
            onChange={setSelected}
            allowDeselect={false}
          />
          <DetailList
            items={[
              { name: 'Current', value: planSummary(customer.plan) },
              ...(isOther && next !== undefined ? [{ name: 'New', value: planSummary(next) }] : []),
            ]}
          />
          <Text size="sm" c="dimmed">
            The change applies from the next request. A larger quota keeps its current count. A
            smaller or new quota starts at zero, so the change never locks the customer out.
          </Text>
          <DialogButtons
            submitLabel="Change plan"
            onCancel={close}
            disabled={!isOther}
            loading={change.isPending}
          />
        </Stack>
      </form>
    </Modal>
  );
}
