import { SimpleGrid } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../../../api/use-call.ts';
import { BackupPanel } from '../../../system/backup-panel.tsx';
import { ResetAheadPanel } from '../../../system/reset-ahead-panel.tsx';
import { StoreFacts } from '../../../system/store-facts.tsx';
import { SystemFacts } from '../../../system/system-facts.tsx';
import { WatchPanel } from '../../../system/watch-panel.tsx';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';

export const Route = createFileRoute('/_in/operator/system')({ component: SystemScreen });

function SystemScreen(): ReactNode {
  const system = useCall('system-read', {}, { everyMs: CALM_MS });
  return (
    <Page title="System" lead="Version, storage, backups and maintenance.">
      <Loaded query={system} height={260}>
        {(known) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <SystemFacts system={known} readAt={system.dataUpdatedAt} />
              <StoreFacts system={known} />
            </SimpleGrid>
            <BackupPanel {...known.store} />
          </>
        )}
      </Loaded>
      <ResetAheadPanel />
      <WatchPanel />
    </Page>
  );
}
