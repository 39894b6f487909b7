import { Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Account, Plan } from '../api/calls.gen.ts';
import { ApiProblem, errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { planSummary } from '../plans/plan-summary.ts';
import { DialogButtons } from '../ui/controls/form-parts.tsx';

interface CustomerFormProps {
  plans: readonly Plan[];
  isOpen: boolean;
  onClose: () => void;
  onCreated: (customer: Account) => void;
}

/** Creates a customer. Members and API keys are added later, on the customer's page. */
export function CustomerForm(props: CustomerFormProps): ReactNode {
  const { plans, isOpen, onClose, onCreated: onMade } = props;
  const form = useForm({
    initialValues: { name: '', plan: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const create = useAction('customers-create', { refreshes: ['customers-list'], isQuiet: true });
  const planName = form.values.plan === '' ? (plans[0]?.name ?? '') : form.values.plan;
  const plan = plans.find(({ name }) => name === planName);

  function submit({ name }: { name: string }): void {
    create.mutate(
      { body: { name: name.trim(), plan: planName } },
      {
        onSuccess(customer) {
          form.reset();
          onMade(customer);
        },
        onError(error) {
          const isOfPlan = error instanceof ApiProblem && error.parameter === 'plan';
          form.setFieldError(isOfPlan ? 'plan' : 'name', errorMessage(error));
        },
      },
    );
  }

  return (
    <Modal opened={isOpen} onClose={onClose} title="New customer">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack gap="md">
          <TextInput
            label="Name"
            description="A company, team or application that shares API keys, quotas and webhooks."
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Select
            label="Plan"
            description={plan === undefined ? 'Rate limits and history.' : planSummary(plan)}
            data={plans.map(({ name }) => name)}
            allowDeselect={false}
            {...form.getInputProps('plan')}
            value={planName}
          />
          <DialogButtons
            submitLabel="Create customer"
            onCancel={onClose}
            loading={create.isPending}
          />
        </Stack>
      </form>
    </Modal>
  );
}
