import { Button, Stack, Text } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { MarketOverride } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { formatDay } from '../format/time.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { describeOverride } from './day-labels.ts';
import { formatLongDate } from './month.ts';

/** Lists all calendar overrides, including revoked ones, with the operators who created them. */
export function OverrideList(props: {
  overrides: readonly MarketOverride[];
  onAdd: () => void;
}): ReactNode {
  return (
    <DataTable
      caption="Calendar changes"
      rows={props.overrides}
      keyOf={({ id }) => String(id)}
      empty={<NoOverrides onAdd={props.onAdd} />}
      columns={[
        { name: 'Date', render: ({ date }) => `${formatDay(date)}, ${date.slice(0, 4)}` },
        {
          name: 'Session',
          render: (row) => (
            <StatusBadge tone={row.revokedAt === null ? 'bad' : 'plain'}>
              {describeOverride(row)}
            </StatusBadge>
          ),
        },
        { name: 'Reason', render: (row) => <Reason override={row} /> },
        {
          name: 'Created',
          render: (row) => <AuthorCell at={row.createdAt} author={row.createdBy} />,
        },
        {
          name: 'Reverted',
          render: (row) =>
            row.revokedAt === null ? (
              <RevertButton row={row} />
            ) : (
              <AuthorCell at={row.revokedAt} author={row.revokedBy} />
            ),
        },
      ]}
    />
  );
}

function Reason({ override: { reason, note } }: { override: MarketOverride }): ReactNode {
  return (
    <Stack gap={0} miw={130} maw={320} style={{ overflowWrap: 'anywhere' }}>
      <span>{reason}</span>
      {note !== null && (
        <Text size="xs" c="dimmed">
          Note: {note}
        </Text>
      )}
    </Stack>
  );
}

function AuthorCell({ at, author }: { at: string; author: string | null }): ReactNode {
  return (
    <Stack gap={0}>
      <RelativeTime at={at} />
      <Text size="xs" c="dimmed">
        {author}
      </Text>
    </Stack>
  );
}

function RevertButton({ row }: { row: MarketOverride }): ReactNode {
  const revoke = useAction('market-overrides-revoke', {
    refreshes: ['market-overrides-list', 'explore-read'],
    successMessage: 'Change reverted. The regular hours apply again.',
  });
  return (
    <ConfirmButton
      label="Revert"
      aria-label={`Revert the change for ${formatLongDate(row.date)}`}
      title={`Revert the change for ${formatDay(row.date)}?`}
      text="The regular hours apply again immediately. The change stays in this list."
      confirmLabel="Revert"
      loading={revoke.isPending}
      onConfirm={() => revoke.mutate({ path: { overrideId: String(row.id) } })}
    />
  );
}

function NoOverrides({ onAdd }: { onAdd: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconCalendarOff size={24} />}
      title="No calendar changes"
      action={
        <Button size="sm" mt="sm" variant="default" onClick={onAdd}>
          Change trading day
        </Button>
      }
    >
      Scheduled holidays and early closes are built in. Use a change for an unscheduled closure,
      early close or late open. It applies immediately.
    </EmptyState>
  );
}
