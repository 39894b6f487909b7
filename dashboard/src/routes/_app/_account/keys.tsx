import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CALM_MS, useCall } from '../../../api/use-call.ts';
import { KeyForm } from '../../../keys/key-form.tsx';
import { KeyTable } from '../../../keys/key-table.tsx';
import { NewKey } from '../../../keys/new-key.tsx';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

export const Route = createFileRoute('/_app/_account/keys')({ component: Keys });

function Keys(): ReactNode {
  const keys = useCall('keys-list', {}, { everyMs: CALM_MS });
  const [isCreating, setIsCreating] = useState(false);
  const [newKey, setNewKey] = useState<string | null>(null);
  return (
    <Page
      title="API keys"
      lead="Use a separate key for each application, so that you can track and revoke them individually."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
          New key
        </Button>
      }
    >
      {newKey !== null && <NewKey text={newKey} onDone={() => setNewKey(null)} />}
      <Panel isFlush>
        <Loaded query={keys}>
          {(rows) => (
            <KeyTable keys={rows} onCreate={() => setIsCreating(true)} onRolled={setNewKey} />
          )}
        </Loaded>
      </Panel>
      <KeyForm
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={(key) => {
          setIsCreating(false);
          setNewKey(key);
        }}
      />
    </Page>
  );
}
