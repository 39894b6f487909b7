import { SimpleGrid } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Key } from '../../../api/calls.gen.ts';
import { CALM_MS, useCall } from '../../../api/use-call.ts';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { useNow } from '../../../ui/values/use-now.ts';
import { BurnDownPanel } from '../../../usage/burn-down-panel.tsx';
import { UsageFilters } from '../../../usage/usage-filters.tsx';
import { selectionFrom, readUsageSearch } from '../../../usage/usage-search.ts';
import { UsageShares } from '../../../usage/usage-shares.tsx';
import { UsageView } from '../../../usage/usage-view.tsx';

export const Route = createFileRoute('/_app/_account/usage')({
  validateSearch: readUsageSearch,
  component: UsageScreen,
});

const NO_KEYS: readonly Key[] = [];

function UsageScreen(): ReactNode {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const selection = selectionFrom(search, useNow());
  const keys = useCall('keys-list', {}, { everyMs: CALM_MS });
  const usage = useCall(
    'usage-read',
    { query: selection.query },
    { everyMs: CALM_MS, keepsPrevious: true },
  );
  const keyList = keys.data ?? NO_KEYS;
  return (
    <Page title="Usage" lead="Requests by time, endpoint, status and API key.">
      <UsageFilters
        search={search}
        selection={selection}
        keys={keyList}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <Loaded query={usage} height={360}>
        {(answer) => <UsageView usage={answer} selection={selection} keys={keyList} />}
      </Loaded>
      <BurnDownPanel />
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        <UsageShares split="endpoint" selection={selection} keys={keyList} />
        <UsageShares split="status" selection={selection} keys={keyList} />
        <UsageShares split="key" selection={selection} keys={keyList} />
      </SimpleGrid>
    </Page>
  );
}
