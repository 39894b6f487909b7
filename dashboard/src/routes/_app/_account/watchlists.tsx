import { Button, Modal } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CALM_MS, useCall } from '../../../api/use-call.ts';
import { FormError } from '../../../ui/controls/form-parts.tsx';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { WatchlistForm } from '../../../watchlists/watchlist-form.tsx';
import { WatchlistTable } from '../../../watchlists/watchlist-table.tsx';

export const Route = createFileRoute('/_app/_account/watchlists')({ component: Watchlists });

/** The name of an existing watchlist does not change. */
const NO_NAMES: readonly string[] = [];

function Watchlists(): ReactNode {
  const watchlists = useCall('watchlists-list', {}, { everyMs: CALM_MS });
  const [isCreating, setIsCreating] = useState(false);
  const [editedName, setEditedName] = useState<string | null>(null);
  const create = (): void => setIsCreating(true);
  return (
    <Page
      title="Watchlists"
      lead="Named lists of companies for the API and webhooks, shared by everyone in your account."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={create}>
          New watchlist
        </Button>
      }
    >
      <Panel isFlush>
        <Loaded query={watchlists}>
          {(rows) => <WatchlistTable watchlists={rows} onCreate={create} onEdit={setEditedName} />}
        </Loaded>
      </Panel>
      {isCreating && (
        <WatchlistForm
          watchlist={null}
          takenNames={watchlists.data?.map(({ name }) => name) ?? []}
          onClose={() => setIsCreating(false)}
        />
      )}
      {editedName !== null && <Editing name={editedName} onClose={() => setEditedName(null)} />}
    </Page>
  );
}

/** Loads the companies before the form opens, so that its fields start with them. */
function Editing({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  const watchlist = useCall('watchlists-read', { path: { name } }, { isKept: false });
  if (watchlist.error !== null) {
    return (
      <Modal opened onClose={onClose} title={`Edit @${name}`}>
        <FormError error={watchlist.error} />
      </Modal>
    );
  }
  if (watchlist.data === undefined) return null;
  return (
    <WatchlistForm key={name} watchlist={watchlist.data} takenNames={NO_NAMES} onClose={onClose} />
  );
}
