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

/** Every change of the calendar, those that were taken back too, with who made it and when. */
export function OverrideList(props: {
  overrides: readonly MarketOverride[];
  onAdd: () => void;
}): ReactNode {
  return (
    <DataTable
      caption="Changes of the calendar"
      rows={props.overrides}
      keyOf={({ id }) => String(id)}
      empty={<NoOverrides onAdd={props.onAdd} />}
      columns={[
        { name: 'Day', render: ({ date }) => `${formatDay(date)}, ${date.slice(0, 4)}` },
        {
          name: 'Session',
          render: (row) => (
            <Mark tone={row.revokedAt === null ? 'bad' : 'plain'}>{sayOverride(row)}</Mark>
          ),
        },
        { name: 'Told to customers', render: (row) => <Reason of={row} /> },
        { name: 'Entered', render: (row) => <Who at={row.createdAt} by={row.createdBy} /> },
        {
          name: 'Taken back',
          render: (row) =>
            row.revokedAt === null ? (
              <TakeBack of={row} />
            ) : (
              <Who at={row.revokedAt} by={row.revokedBy} />
            ),
        },
      ]}
    />
  );
}

function Reason({ of: { reason, note } }: { of: MarketOverride }): ReactNode {
  return (
    <Stack gap={0} miw={130} maw={320} style={{ overflowWrap: 'anywhere' }}>
      <span>{reason}</span>
      {note !== null && (
        <Text size="xs" c="dimmed">
          For us: {note}
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

function TakeBack({ of: row }: { of: MarketOverride }): ReactNode {
  const revoke = useAct('market-overrides-revoke', {
    refreshes: ['market-overrides-list', 'explore-read'],
    says: 'Taken back. The day has its usual hours again.',
  });
  return (
    <ConfirmButton
      label="Take back"
      aria-label={`Take back the change of ${nameDay(row.date)}`}
      title={`Take back the change of ${formatDay(row.date)}?`}
      text={`The day has its usual hours again, from the very next answer on. The entry stays in this list.`}
      confirmLabel="Take back"
      loading={revoke.isPending}
      onConfirm={() => revoke.mutate({ path: { overrideId: String(row.id) } })}
    />
  );
}

function NoOverrides({ onAdd }: { onAdd: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconCalendarOff size={24} />}
      title="The calendar stands as the exchanges publish it"
      action={
        <Button size="sm" mt="sm" variant="default" onClick={onAdd}>
          Change a day
        </Button>
      }
    >
      Holidays and early closes are known years ahead. When an exchange closes or opens late on the
      day itself, say so here: it holds for the very next answer.
    </EmptyState>
  );
}
