import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LIVE_MS, useCall } from '../../../api/use-call.ts';
import { RunTable } from '../../../runs/run-table.tsx';
import { RunsFilters } from '../../../runs/runs-filters.tsx';
import { readRunsSearch, type RunsSearch } from '../../../runs/runs-search.ts';
import { useSourceNames } from '../../../sources/use-source-names.ts';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Pager } from '../../../ui/tables/pager.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

const SHOWN = 50;

export const Route = createFileRoute('/_app/operator/runs')({
  validateSearch: readRunsSearch,
  component: Runs,
});

function Runs(): ReactNode {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { sources } = useSourceNames();
  const { before, ...filters } = search;
  const page = useCall(
    'ingest-runs-list',
    { query: { ...search, limit: SHOWN } },
    // Only the first page changes, so only that page is polled.
    { keepsPrevious: true, ...(before === undefined ? { everyMs: LIVE_MS } : {}) },
  );
  const next = page.data?.next ?? null;

  function show(nextSearch: RunsSearch): void {
    void navigate({ search: nextSearch });
  }

  return (
    <Page
      title="Runs"
      lead="Each response from a source, with new, changed, unchanged and quarantined rows."
    >
      <RunsFilters search={search} providers={sources} onChange={show} />
      <Panel isFlush>
        <Loaded query={page} height={420}>
          {({ runs }) => (
            <RunTable
              runs={runs}
              onClear={Object.keys(filters).length === 0 ? undefined : () => show({})}
            />
          )}
        </Loaded>
        <Pager
          onFirst={before === undefined ? null : () => show(filters)}
          onNext={next === null ? null : () => show({ ...filters, before: next })}
        />
      </Panel>
    </Page>
  );
}
