import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../../../../api/use-call.ts';
import { QuarantineFilters } from '../../../../quarantine/quarantine-filters.tsx';
import {
  type QuarantineSearch,
  readQuarantineSearch,
} from '../../../../quarantine/quarantine-search.ts';
import { QuarantineTable } from '../../../../quarantine/quarantine-table.tsx';
import { PendingCounts } from '../../../../quarantine/pending-counts.tsx';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';
import { Pager } from '../../../../ui/tables/pager.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';

export const Route = createFileRoute('/_app/operator/quarantine/')({
  validateSearch: readQuarantineSearch,
  component: Quarantine,
});

function Quarantine(): ReactNode {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const page = useCall(
    'quarantine-list',
    { query: search },
    { everyMs: CALM_MS, keepsPrevious: true },
  );
  const { before, state = 'open', ...filters } = search;
  const next = page.data?.next ?? null;
  const { data: counts } = useCall('quarantine-counts-read', {}, { everyMs: CALM_MS });
  const rows = [...(counts?.counts ?? []), ...(page.data?.rows ?? [])];
  const reasons = [...new Set(rows.map(({ reason }) => reason))].toSorted();

  function show(nextSearch: QuarantineSearch): void {
    void navigate({ search: nextSearch });
  }

  return (
    <Page
      title="Quarantine"
      lead="Rows from sources that can’t be parsed or that violate a rule. Accept a row if it is correct."
    >
      {counts !== undefined && <PendingCounts counts={counts} onChoose={show} />}
      <QuarantineFilters search={search} reasons={reasons} onChange={show} />
      <Panel isFlush>
        <Loaded query={page}>
          {({ rows }) => (
            <QuarantineTable
              rows={rows}
              state={state}
              onClear={Object.keys(filters).length === 0 ? undefined : () => show({})}
            />
          )}
        </Loaded>
        <Pager
          onFirst={before === undefined ? null : () => show({ ...filters, state })}
          onNext={next === null ? null : () => show({ ...search, before: next })}
        />
      </Panel>
    </Page>
  );
}
