import { Button, Group, Text } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Plan } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../format/number.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';

/** Lists plans and their limits, smallest first. */
export function PlanTable(props: {
  plans: readonly Plan[];
  onChange: (plan: Plan) => void;
  onCreate: () => void;
}): ReactNode {
  const { plans, onChange, onCreate } = props;
  return (
    <DataTable
      caption="Plans"
      rows={plans}
      keyOf={({ name }) => name}
      empty={<NoPlans onCreate={onCreate} />}
      columns={[
        {
          name: 'Plan',
          render: ({ name }) => (
            <Text size="sm" fw={550}>
              {name}
            </Text>
          ),
        },
        { name: 'Per minute', isNumber: true, render: ({ perMinute }) => formatCount(perMinute) },
        { name: 'Per day', isNumber: true, render: ({ perDay }) => <Limit limit={perDay} /> },
        { name: 'Per month', isNumber: true, render: ({ perMonth }) => <Limit limit={perMonth} /> },
        {
          name: 'History',
          isNumber: true,
          render: ({ historyMonths: months }) => historyLabel(months),
        },
        {
          name: 'Watchlists',
          isNumber: true,
          isExtra: true,
          render: ({ watchlistsMax: lists, watchlistCompaniesMax: companies }) =>
            `${formatCount(lists)} × ${formatCount(companies)}`,
        },
        {
          name: 'Actions',
          render: (plan) => (
            <Group gap="xs" wrap="nowrap">
              <Button
                size="xs"
                variant="default"
                aria-label={`Edit ${plan.name}`}
                onClick={() => onChange(plan)}
              >
                Edit
              </Button>
              <RemovePlan plan={plan} />
            </Group>
          ),
        },
      ]}
    />
  );
}

function RemovePlan({ plan: { name } }: { plan: Plan }): ReactNode {
  const remove = useAction('plans-remove', { refreshes: ['plans-list'] });
  return (
    <ConfirmButton
      label="Delete"
      aria-label={`Delete ${name}`}
      loading={remove.isPending}
      title={`Delete plan ${name}?`}
      text="You can only delete a plan that no customer has ever been on, since usage and audit log refer to it."
      confirmLabel="Delete"
      onConfirm={() => remove.mutate({ path: { plan: name } })}
    />
  );
}

function Limit({ limit }: { limit: number | null }): ReactNode {
  if (limit !== null) return formatCount(limit);
  return (
    <Text span inherit c="dimmed">
      No limit
    </Text>
  );
}

function historyLabel(months: number | null): string {
  if (months === null) return 'Full';
  return months === 1 ? '1 month' : `${formatCount(months)} months`;
}

function NoPlans({ onCreate }: { onCreate: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconStack2 size={24} />}
      title="No plans yet"
      action={
        <Button size="sm" mt="sm" onClick={onCreate}>
          Create plan
        </Button>
      }
    >
      Every customer has a plan. It limits the requests per minute, day and month, how far back data
      is available, and watchlists.
    </EmptyState>
  );
}
