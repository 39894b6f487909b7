import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { Account, Plan } from '../api/calls.gen.ts';
import { errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { useCall } from '../api/use-call.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { planSummary } from '../plans/plan-summary.ts';
import { FormError } from '../ui/controls/form-parts.tsx';

/** Selects an existing account or creates one. */
export function AccountStep(props: { onChosen: (account: Account) => void }): ReactNode {
  const customers = useCall('customers-list', { query: { limit: 20 } });
  const plans = useCall('plans-list', {});
  const [isNew, setIsNew] = useState(false);
  return (
    <Loaded query={customers} height={80}>
      {({ customers: rows }) => (
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            API keys, webhooks and usage belong to an account. You can create one per team or
            customer.
          </Text>
          {rows.length > 0 && !isNew ? (
            <AccountChoice rows={rows} onChosen={props.onChosen} onNew={() => setIsNew(true)} />
          ) : (
            <Loaded query={plans} height={80}>
              {(planList) => (
                <NewAccount
                  plans={planList}
                  onCreated={props.onChosen}
                  onBack={rows.length === 0 ? null : () => setIsNew(false)}
                />
              )}
            </Loaded>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function AccountChoice(props: {
  rows: readonly Account[];
  onChosen: (account: Account) => void;
  onNew: () => void;
}): ReactNode {
  const { rows, onChosen, onNew } = props;
  return (
    <Group gap="sm">
      {rows.slice(0, 4).map((account, index) => (
        <Button
          key={account.id}
          variant={index === 0 ? 'filled' : 'default'}
          // Allows long names to wrap.
          h="auto"
          mih={36}
          py={6}
          styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
          onClick={() => onChosen(account)}
        >
          Use {account.name}
        </Button>
      ))}
      <Button variant="subtle" onClick={onNew}>
        Create a new account
      </Button>
    </Group>
  );
}

function NewAccount(props: {
  plans: readonly Plan[];
  onCreated: (account: Account) => void;
  onBack: (() => void) | null;
}): ReactNode {
  const { plans, onCreated, onBack } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ initialValues: { name: '', plan: plans[0]?.name ?? '' } });
  const create = useAction('customers-create', {
    refreshes: ['customers-list'],
    isQuiet: true,
    onDone: onCreated,
  });
  const selected = plans.find(({ name }) => name === form.values.plan);
  return (
    <form
      onSubmit={form.onSubmit((body) => {
        setProblem(null);
        create.mutate({ body }, { onError: (error) => setProblem(errorMessage(error)) });
      })}
    >
      <Stack gap="sm" maw={420}>
        <FormError error={problem} />
        <TextInput label="Account name" required maxLength={200} {...form.getInputProps('name')} />
        <Select
          label="Plan"
          description={selected === undefined ? undefined : planSummary(selected)}
          data={plans.map(({ name }) => name)}
          allowDeselect={false}
          {...form.getInputProps('plan')}
        />
        <Group gap="sm">
          <Button type="submit" loading={create.isPending}>
            Create account
          </Button>
          {onBack !== null && (
            <Button variant="subtle" onClick={onBack}>
              Back
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
