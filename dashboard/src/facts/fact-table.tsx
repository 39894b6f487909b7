import { IconDatabaseOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FactSummary } from '../api/calls.gen.ts';
import { formatDay } from '../format/time.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState, NoMatches } from '../ui/page/empty-state.tsx';
import { ButtonLink, StrongLink } from '../ui/controls/links.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';

/** Lists the current facts in a dataset. Each row links to the fact's details. */
export function FactTable(props: {
  dataset: string;
  facts: readonly FactSummary[];
  /** Clears the filters. Undefined if no filter is set. */
  onClear: (() => void) | undefined;
}): ReactNode {
  const { dataset, facts, onClear } = props;
  return (
    <DataTable
      caption={`Facts in ${dataset}`}
      rows={facts}
      keyOf={({ id }) => id}
      empty={<NoFacts onClear={onClear} />}
      columns={[
        {
          name: 'Fact',
          render: ({ id, symbol, title }) => (
            <StrongLink to="/operator/facts/$dataset/$factId" params={{ dataset, factId: id }}>
              {title ?? symbol ?? id}
            </StrongLink>
          ),
        },
        { name: 'Symbol', render: ({ symbol }) => symbol ?? '–' },
        {
          name: 'Date',
          render: ({ date }) => (
            <span style={{ whiteSpace: 'nowrap' }}>
              {date === null ? '–' : formatFullDate(date)}
            </span>
          ),
        },
        { name: 'ID', render: ({ id }) => id, isExtra: true },
        { name: 'Updated', render: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
      ]}
    />
  );
}

function formatFullDate(date: string): string {
  return `${formatDay(date)}, ${date.slice(0, 4)}`;
}

function NoFacts({ onClear }: { onClear: (() => void) | undefined }): ReactNode {
  if (onClear !== undefined) {
    return (
      <NoMatches items="facts" onClear={onClear}>
        You can search by full symbol, part of the name, or New York date.
      </NoMatches>
    );
  }
  return (
    <EmptyState
      icon={<IconDatabaseOff size={24} />}
      title="This dataset is empty"
      action={
        <ButtonLink size="sm" mt="sm" variant="default" to="/operator/sources">
          View sources
        </ButtonLink>
      }
    >
      Facts appear here once a source has delivered data. Data from several sources is merged.
    </EmptyState>
  );
}
