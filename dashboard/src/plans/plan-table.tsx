import { Button, Group, Text } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Plan } from '../api/calls.gen.ts';
import { useAct } from '../api/use-act.ts';
import { formatCount } from '../format/number.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';

/** Plans, the smallest first, with what each allows. */
export function PlanTable(props: {
  plans: readonly Plan[];
  onChange: (plan: Plan) => void;
  onMake: () => void;
}): ReactNode {
  const { plans, onChange, onMake } = props;
  return (
    <DataTable
      caption="Plans"
      rows={plans}
      keyOf={({ name }) => name}
      empty={<NoPlans onMake={onMake} />}
      columns={[
        {
          name: 'Plan',
          render: ({ name }) => (
            <Text size="sm" fw={550}>
              {name}
            </Text>
          ),
        },
        { name: 'A minute', isNumber: true, render: ({ perMinute }) => formatCount(perMinute) },
        { name: 'A day', isNumber: true, render: ({ perDay }) => <Limit of={perDay} /> },
        { name: 'A month', isNumber: true, render: ({ perMonth }) => <Limit of={perMonth} /> },
        { name: 'History', isNumber: true, render: ({ historyMonths: it }) => sayHistory(it) },
        {
          name: 'Acts',
          render: (plan) => (
            <Group gap="xs" wrap="nowrap">
              <Button
                size="xs"
                variant="default"
                aria-label={`Change ${plan.name}`}
                onClick={() => onChange(plan)}
              >
                Change
              </Button>
              <RemovePlan of={plan} />
            </Group>
          ),
        },
      ]}
    />
  );
}

function RemovePlan({ of: { name } }: { of: Plan }): ReactNode {
  const remove = useAct('plans-remove', { refreshes: ['plans-list'] });
  return (
    <ConfirmButton
      label="Remove"
      aria-label={`Remove ${name}`}
      loading={remove.isPending}
      title={`Remove the plan ${name}?`}
      text="Only a plan that no customer is or was on can go, since usage and audit speak of it. If one is, nothing happens and you are told."
      confirmLabel="Remove"
      onConfirm={() => remove.mutate({ path: { plan: name } })}
    />
  );
}

function Limit({ of: limit }: { of: number | null }): ReactNode {
  if (limit !== null) return formatCount(limit);
  return (
    <Text span inherit c="dimmed">
      no limit
    </Text>
  );
}

function sayHistory(months: number | null): string {
  if (months === null) return 'all';
  return months === 1 ? '1 month' : `${formatCount(months)} months`;
}

function NoPlans({ onMake }: { onMake: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconStack2 size={24} />}
      title="No plan"
      action={
        <Button size="sm" mt="sm" onClick={onMake}>
          Add one
        </Button>
      }
    >
      Every customer is on a plan: it says how much may be asked in a minute, a day and a month, and
      how far back the data goes.
    </EmptyState>
  );
}
