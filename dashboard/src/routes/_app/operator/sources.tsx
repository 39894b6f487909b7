import { SimpleGrid } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { IngestStatus } from '../../../api/calls.gen.ts';
import { LIVE_MS, useCall } from '../../../api/use-call.ts';
import { BatchesPanel } from '../../../sources/batches-panel.tsx';
import { SourceCard } from '../../../sources/source-card.tsx';
import { UnusedSources } from '../../../sources/unused-sources.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { ButtonLink } from '../../../ui/controls/links.tsx';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

export const Route = createFileRoute('/_app/operator/sources')({ component: Sources });

function Sources(): ReactNode {
  const report = useCall('sources-list', {}, { everyMs: LIVE_MS });
  return (
    <Page
      title="Sources"
      lead="Data sources with their health, failures and schedule."
      actions={
        <ButtonLink variant="default" to="/operator/runs">
          Runs
        </ButtonLink>
      }
    >
      <Loaded query={report} height={420}>
        {(status) => <SourceList status={status} />}
      </Loaded>
    </Page>
  );
}

function SourceList({ status: { sources, datasets } }: { status: IngestStatus }): ReactNode {
  const used = sources.filter(({ inUse }) => inUse);
  const unused = sources.filter(({ inUse }) => !inUse);
  return (
    <>
      {used.length === 0 ? (
        <NoSources />
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          {used.map((source) => (
            <SourceCard key={source.name} source={source} datasets={datasets} />
          ))}
        </SimpleGrid>
      )}
      {used.length > 0 && <BatchesPanel />}
      {unused.length > 0 && (
        <Panel title="Unused sources" isFlush>
          <UnusedSources sources={unused} />
        </Panel>
      )}
    </>
  );
}

function NoSources(): ReactNode {
  return (
    <Panel>
      <EmptyState icon={<IconBuildingBank size={24} />} title="No sources enabled">
        The service serves stored data only. Enable sources with the SOURCES setting. Without
        sources and with an empty database, a simulated market is shown.
      </EmptyState>
    </Panel>
  );
}
