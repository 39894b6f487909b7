import { Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Plan } from '../api/calls.gen.ts';
import { ApiProblem, errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { planSummary } from './plan-summary.ts';
import { draftOf, limitsError, nameError, NEW_PLAN, type PlanDraft, planOf } from './plan-draft.ts';
import { DialogButtons } from '../ui/controls/form-parts.tsx';

const LIMITS = [
  { name: 'perMinute', label: 'Requests per minute', none: '', max: 100_000 },
  { name: 'perDay', label: 'Requests per day', none: 'No limit', max: 2_000_000_000 },
  { name: 'perMonth', label: 'Requests per month', none: 'No limit', max: 2_000_000_000 },
  { name: 'historyMonths', label: 'Months of history', none: 'Full history', max: 1_200 },
  {
    name: 'computeMsPerMinute',
    label: 'Computing time per minute (ms)',
    none: 'No limit',
    max: 480_000,
  },
  { name: 'watchlistsMax', label: 'Watchlists', none: '', max: 1_000 },
  { name: 'watchlistCompaniesMax', label: 'Companies per watchlist', none: '', max: 1_000 },
] as const;

interface PlanFormProps {
  plan: Plan | null;
  plans: readonly Plan[];
  isOpen: boolean;
  onClose: () => void;
}

/** Creates a plan or updates an existing one. */
export function PlanForm(props: PlanFormProps): ReactNode {
  const { plan, plans, isOpen, onClose } = props;
  const title = plan === null ? 'New plan' : `Edit plan ${plan.name}`;
  const form = useForm<PlanDraft>({
    initialValues: plan === null ? NEW_PLAN : draftOf(plan),
    validate: {
      name: (name) => (plan === null ? nameError(name, plans) : null),
      perMinute: missingLimit,
      watchlistsMax: missingLimit,
      watchlistCompaniesMax: missingLimit,
      perDay: (_value, draft) => limitsError(draft),
    },
  });
  const put = useAction('plans-upsert', {
    refreshes: ['plans-list', 'customers-list', 'customers-read'],
    isQuiet: true,
    onDone: onClose,
  });

  function submit(draft: PlanDraft): void {
    const next = planOf(draft);
    if (next === null) return;
    const { name, ...body } = next;
    put.mutate(
      { path: { plan: name }, body },
      {
        onError(error) {
          const field = error instanceof ApiProblem ? (error.parameter ?? 'name') : 'name';
          form.setFieldError(field, errorMessage(error));
        },
      },
    );
  }

  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack gap="md">
          {plan === null && (
            <TextInput
              label="Name"
              description="Visible to customers. It can’t be changed later."
              required
              maxLength={40}
              data-autofocus
              {...form.getInputProps('name')}
            />
          )}
          <LimitFields form={form} />
          <Preview draft={form.values} isExisting={plan !== null} />
          <DialogButtons
            submitLabel={plan === null ? 'Create plan' : 'Save changes'}
            onCancel={onClose}
            loading={put.isPending}
          />
        </Stack>
      </form>
    </Modal>
  );
}

function missingLimit(value: number | string): string | null {
  return typeof value === 'number' ? null : 'Enter a limit.';
}

function LimitFields({ form }: { form: UseFormReturnType<PlanDraft> }): ReactNode {
  return LIMITS.map(({ name, label, none, max }) => (
    <NumberInput
      key={name}
      label={label}
      placeholder={none}
      required={none === ''}
      min={1}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      {...form.getInputProps(name)}
    />
  ));
}

function Preview({ draft, isExisting }: { draft: PlanDraft; isExisting: boolean }): ReactNode {
  const plan = planOf(draft);
  return (
    <Text size="sm" c="dimmed" role="status">
      {plan === null ? 'Enter the required limits.' : planSummary(plan)}{' '}
      {isExisting && 'Changes apply to customers on this plan from their next request.'}
    </Text>
  );
}
