import { SimpleGrid } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../../../api/use-call.ts';
import { BackupPanel } from '../../../system/backup-panel.tsx';
import { ResetQuotasPanel } from '../../../system/reset-quotas-panel.tsx';
import { DatabasePanel } from '../../../system/database-panel.tsx';
import { ServicePanel } from '../../../system/service-panel.tsx';
import { FailoversPanel } from '../../../system/failovers-panel.tsx';
import { LoopsPanel } from '../../../system/loops-panel.tsx';
import { MonitoringPanel } from '../../../system/monitoring-panel.tsx';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';

export const Route = createFileRoute('/_app/operator/system')({ component: SystemScreen });

function SystemScreen(): ReactNode {
  const system = useCall('system-read', {}, { everyMs: CALM_MS });
  return (
    <Page title="System" lead="Version, storage, backups and maintenance.">
      <Loaded query={system} height={260}>
        {(detail) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <ServicePanel system={detail} readAt={system.dataUpdatedAt} />
              <DatabasePanel system={detail} />
            </SimpleGrid>
            <LoopsPanel system={detail} />
            <FailoversPanel system={detail} />
            <BackupPanel {...detail.store} />
          </>
        )}
      </Loaded>
      <ResetQuotasPanel />
      <MonitoringPanel />
    </Page>
  );
}
