import { Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { QuarantinedRow } from '../api/calls.gen.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState, NoMatches } from '../ui/page/empty-state.tsx';
import { StrongLink } from '../ui/controls/links.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { type QuarantineState, ruleLabel } from './quarantine-state.ts';

/** Lists quarantined rows, each with the reason. */
export function QuarantineTable(props: {
  rows: readonly QuarantinedRow[];
  state: QuarantineState;
  /** Clears the filters. Undefined if no filter is set. */
  onClear: (() => void) | undefined;
}): ReactNode {
  const { rows, state, onClear } = props;
  return (
    <DataTable
      caption="Quarantined rows"
      rows={rows}
      keyOf={({ id }) => id}
      empty={<NoRows state={state} onClear={onClear} />}
      columns={[
        { name: 'Issue', render: (row) => <IssueCell row={row} /> },
        { name: 'Entity', render: ({ subject }) => subject ?? '–' },
        { name: 'Dataset and source', render: (row) => <Source row={row} />, isExtra: true },
        state === 'open'
          ? { name: 'Received', render: ({ at }) => <RelativeTime at={at} />, isExtra: true }
          : { name: 'Decided', render: (row) => <DecisionCell row={row} /> },
      ]}
    />
  );
}

function IssueCell({ row }: { row: QuarantinedRow }): ReactNode {
  return (
    <Stack gap={0} miw={210}>
      <StrongLink to="/operator/quarantine/$quarantineId" params={{ quarantineId: row.id }}>
        {ruleLabel(row.reason)}
      </StrongLink>
      <Text size="xs" c="dimmed">
        {row.detail}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {row.dataset}, <RelativeTime at={row.at} />
      </Text>
    </Stack>
  );
}

function Source({ row: { dataset, provider, feed } }: { row: QuarantinedRow }): ReactNode {
  return (
    <Stack gap={0}>
      {dataset}
      <Text size="xs" c="dimmed">
        {provider === feed ? provider : `${provider}, ${feed}`}
      </Text>
    </Stack>
  );
}

function DecisionCell({ row: { decision } }: { row: QuarantinedRow }): ReactNode {
  if (decision === null) return '–';
  return (
    <Stack gap={0}>
      <RelativeTime at={decision.at} />
      <Text size="xs" c="dimmed">
        {decision.by}: {decision.why}
      </Text>
    </Stack>
  );
}

function NoRows(props: { state: QuarantineState; onClear: (() => void) | undefined }): ReactNode {
  const { state, onClear } = props;
  if (onClear !== undefined) {
    return <NoMatches items="rows" onClear={onClear} />;
  }
  return (
    <EmptyState
      icon={<IconCircleCheck size={24} />}
      title={state === 'open' ? 'No pending rows' : 'No decisions yet'}
    >
      Rows that can’t be parsed or that violate a rule of their dataset are quarantined. Review them
      here and accept or reject them.
    </EmptyState>
  );
}
