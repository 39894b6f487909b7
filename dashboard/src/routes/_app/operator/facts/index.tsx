import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../../../../api/use-call.ts';
import { DatasetTabs } from '../../../../facts/dataset-tabs.tsx';
import { FactFilters } from '../../../../facts/fact-filters.tsx';
import { FactTable } from '../../../../facts/fact-table.tsx';
import {
  changeSearch,
  type FactsSearch,
  FIRST_DATASET,
  readFactsSearch,
} from '../../../../facts/facts-search.ts';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';
import { Pager } from '../../../../ui/tables/pager.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';

export const Route = createFileRoute('/_app/operator/facts/')({
  validateSearch: readFactsSearch,
  component: DataExplorer,
});

function DataExplorer(): ReactNode {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { dataset = FIRST_DATASET, ...query } = search;
  const datasets = useCall('facts-datasets-list', {});
  const page = useCall(
    'facts-list',
    { path: { dataset }, query },
    { everyMs: CALM_MS, keepsPrevious: true },
  );
  const { before, ...filters } = query;
  const next = page.data?.next ?? null;
  const isFiltered = Object.keys(filters).length > 0;

  function show(search: FactsSearch): void {
    void navigate({ search, replace: search.before === undefined });
  }

  return (
    <Page
      title="Data explorer"
      lead="All facts with the source of each field, other sources and history."
    >
      <DatasetTabs
        datasets={datasets.data ?? []}
        value={dataset}
        onChange={(selected) => show(changeSearch(search, { dataset: selected }))}
      />
      <FactFilters
        key={dataset}
        search={search}
        onChange={(changed) => show(changeSearch(search, changed))}
      />
      <Panel isFlush>
        <Loaded query={page} height={420}>
          {({ facts }) => (
            <FactTable
              dataset={dataset}
              facts={facts}
              onClear={isFiltered ? () => show({ dataset }) : undefined}
            />
          )}
        </Loaded>
        <Pager
          onFirst={before === undefined ? null : () => show(changeSearch(search, {}))}
          onNext={next === null ? null : () => show({ ...search, before: next })}
          nextName="Next"
        />
      </Panel>
    </Page>
  );
}
