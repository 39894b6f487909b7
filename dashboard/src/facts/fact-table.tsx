import { Button } from '@mantine/core';
import { IconDatabaseOff, IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FactSummary } from '../api/calls.gen.ts';
import { formatDay } from '../format/time.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { AnchorLink, ButtonLink } from '../ui/controls/links.tsx';
import { Moment } from '../ui/values/moment.tsx';

/** Facts that stand; each opens with all that is behind it. */
export function FactTable(props: {
  dataset: string;
  facts: readonly FactSummary[];
  /** Undefined when nothing is filtered. */
  onClear: (() => void) | undefined;
}): ReactNode {
  const { dataset, facts, onClear } = props;
  return (
    <DataTable
      caption={`Facts of ${dataset}`}
      rows={facts}
      keyOf={({ id }) => id}
      empty={<NoFacts onClear={onClear} />}
      columns={[
        {
          name: 'Fact',
          render: ({ id, symbol, title }) => (
            <AnchorLink
              to="/operator/facts/$dataset/$factId"
              params={{ dataset, factId: id }}
              size="sm"
              fw={550}
            >
              {title ?? symbol ?? id}
            </AnchorLink>
          ),
        },
        { name: 'Symbol', render: ({ symbol }) => symbol ?? '–' },
        {
          name: 'Day',
          render: ({ date }) => (
            <span style={{ whiteSpace: 'nowrap' }}>{date === null ? '–' : sayDate(date)}</span>
          ),
        },
        { name: 'Id', render: ({ id }) => id, isExtra: true },
        { name: 'Changed', render: ({ updatedAt }) => <Moment at={updatedAt} /> },
      ]}
    />
  );
}

function sayDate(date: string): string {
  return `${formatDay(date)}, ${date.slice(0, 4)}`;
}

function NoFacts({ onClear }: { onClear: (() => void) | undefined }): ReactNode {
  if (onClear !== undefined) {
    return (
      <EmptyState
        icon={<IconFilterOff size={24} />}
        title="No fact fits"
        action={
          <Button size="sm" mt="sm" variant="default" onClick={onClear}>
            Show all
          </Button>
        }
      >
        Facts are found by their whole symbol, a part of their name, or the New York day they are
        listed under.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconDatabaseOff size={24} />}
      title="This data set is empty"
      action={
        <ButtonLink size="sm" mt="sm" variant="default" to="/operator/sources">
          See the sources
        </ButtonLink>
      }
    >
      Facts come from sources: each answer is read, and what it says is merged with what others say.
    </EmptyState>
  );
}
