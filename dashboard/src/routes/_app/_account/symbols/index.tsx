import { SimpleGrid } from '@mantine/core';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CALM_MS } from '../../../../api/use-call.ts';
import { useRead } from '../../../../api/use-read.ts';
import { CompanySearch } from '../../../../company/company-search.tsx';
import { MoversPanel } from '../../../../company/movers-panel.tsx';
import { VolumePanel } from '../../../../company/volume-panel.tsx';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';

export const Route = createFileRoute('/_app/_account/symbols/')({ component: Companies });

function Companies(): ReactNode {
  const navigate = useNavigate();
  const volume = useRead('unusual-volume', {}, { everyMs: CALM_MS });
  return (
    <Page title="Companies" lead="Earnings reports, price reactions and revisions.">
      <CompanySearch
        size="lg"
        onSelect={(symbol) => void navigate({ to: '/symbols/$symbol', params: { symbol } })}
      />
      <Loaded query={volume} height={360}>
        {(answer) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            {/* Both panels use the latest session that has prices. */}
            <MoversPanel date={answer.date} />
            <VolumePanel answer={answer} />
          </SimpleGrid>
        )}
      </Loaded>
    </Page>
  );
}
