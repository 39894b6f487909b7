import { Button, Stack, Text } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { MarketOverride } from '../api/calls.gen.ts';
import { useAct } from '../api/use-act.ts';
import { formatDay } from '../format/time.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Mark } from '../ui/values/mark.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { sayOverride } from './day-words.ts';
import { nameDay } from './month.ts';

/** All calendar overrides, including reverted ones, with their authors. */
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
            <Mark tone={row.revokedAt === null ? 'bad' : 'plain'}>{sayOverride(row)}</Mark>
          ),
        },
        { name: 'Reason', render: (row) => <Reason override={row} /> },
        { name: 'Created', render: (row) => <Who at={row.createdAt} by={row.createdBy} /> },
        {
          name: 'Reverted',
          render: (row) =>
            row.revokedAt === null ? (
              <TakeBack row={row} />
            ) : (
              <Who at={row.revokedAt} by={row.revokedBy} />
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

function Who({ at, by }: { at: string; by: string | null }): ReactNode {
  return (
    <Stack gap={0}>
      <Moment at={at} />
      <Text size="xs" c="dimmed">
        {by}
      </Text>
    </Stack>
  );
}

function TakeBack({ row }: { row: MarketOverride }): ReactNode {
  const revoke = useAct('market-overrides-revoke', {
    refreshes: ['market-overrides-list', 'explore-read'],
    says: 'Change reverted. The regular hours apply again.',
  });
  return (
    <ConfirmButton
      label="Revert"
      aria-label={`Revert the change for ${nameDay(row.date)}`}
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
