import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { WatchlistSummary } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../format/number.ts';
import { ActionsMenu } from '../ui/controls/actions-menu.tsx';
import { ConfirmDialog } from '../ui/controls/confirm-dialog.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';

export function WatchlistTable(props: {
  watchlists: readonly WatchlistSummary[];
  onCreate: () => void;
  onEdit: (name: string) => void;
}): ReactNode {
  const { watchlists, onCreate, onEdit } = props;
  return (
    <DataTable
      caption="Watchlists"
      rows={watchlists}
      keyOf={({ name }) => name}
      empty={<NoWatchlists onCreate={onCreate} />}
      columns={[
        { name: 'Name', render: ({ name }) => <Code fz="sm">@{name}</Code> },
        { name: 'Companies', render: ({ size }) => formatCount(size) },
        { name: 'Updated', render: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
        {
          name: 'Created',
          isExtra: true,
          render: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
        {
          name: 'Actions',
          render: ({ name }) => <WatchlistActions name={name} onEdit={() => onEdit(name)} />,
        },
      ]}
    />
  );
}

function WatchlistActions({ name, onEdit }: { name: string; onEdit: () => void }): ReactNode {
  const [isDeleting, dialog] = useDisclosure(false);
  const remove = useAction('watchlists-delete', {
    refreshes: ['watchlists-list'],
    successMessage: 'Watchlist deleted',
  });
  return (
    <>
      <ActionsMenu
        name={`Actions for ${name}`}
        actions={[
          { label: 'Edit…', onChoose: onEdit },
          { label: 'Delete…', isDanger: true, onChoose: dialog.open },
        ]}
      />
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={dialog.close}
        onConfirm={() => remove.mutate({ path: { name } })}
        confirmation={{
          title: 'Delete watchlist?',
          text: `Requests with symbols=@${name} will be rejected. This can’t be undone.`,
          confirmLabel: 'Delete',
        }}
      />
    </>
  );
}

function NoWatchlists({ onCreate }: { onCreate: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconEye size={24} />}
      title="No watchlists yet"
      action={
        <Button size="sm" mt="sm" onClick={onCreate}>
          Create watchlist
        </Button>
      }
    >
      A watchlist names the companies you follow. Use it as symbols=@name in calendars, feeds and
      changes, and in webhook subscriptions.
    </EmptyState>
  );
}
