import { Switch } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CALM_MS, LIVE_MS, useCall } from '../../../api/use-call.ts';
import { RequestFilters } from '../../../requests/request-filters.tsx';
import { RequestTable } from '../../../requests/request-table.tsx';
import { readRequestsSearch } from '../../../requests/requests-search.ts';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Pager } from '../../../ui/tables/pager.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

const PAGE = 50;

export const Route = createFileRoute('/_app/_account/requests')({
  validateSearch: readRequestsSearch,
  component: Requests,
});

function Requests(): ReactNode {
  // Copied without the search parameters of parent routes.
  const search = readRequestsSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const { before, ...filters } = search;
  const [isLive, setIsLive] = useState(true);
  const keys = useCall('keys-list', {}, { everyMs: CALM_MS });
  const page = useCall(
    'requests-list',
    { query: { limit: PAGE, ...search } },
    { keepsPrevious: true, ...(isLive && before === undefined ? { everyMs: LIVE_MS } : {}) },
  );
  const newest = page.data?.requests[0]?.position;
  const [initialPosition, setInitialPosition] = useState<number | null>(null);
  // Remembers the newest request when the page was opened. Later requests are highlighted.
  if (initialPosition === null && newest !== undefined) setInitialPosition(newest);
  const next = page.data?.next ?? null;
  return (
    <Page
      title="Request log"
      lead="The latest API requests. API keys are never logged."
      actions={
        <Switch
          label="Live"
          description="Show new requests automatically"
          checked={isLive && before === undefined}
          disabled={before !== undefined}
          onChange={({ currentTarget }) => setIsLive(currentTarget.checked)}
        />
      }
    >
      <RequestFilters
        search={search}
        keys={keys.data ?? []}
        onChange={(changed) => void navigate({ search: changed, replace: true })}
      />
      <Panel isFlush>
        <Loaded query={page} height={420}>
          {({ requests }) => (
            <RequestTable
              requests={requests}
              keys={keys.data ?? null}
              since={initialPosition ?? Number.MAX_SAFE_INTEGER}
              isFiltered={Object.keys(filters).length > 0}
            />
          )}
        </Loaded>
        <Pager
          onFirst={before === undefined ? null : () => void navigate({ search: filters })}
          onNext={
            next === null ? null : () => void navigate({ search: { ...filters, before: next } })
          }
        />
      </Panel>
    </Page>
  );
}
