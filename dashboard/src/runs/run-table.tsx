import { Stack, Text } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { IngestRun } from '../api/calls.gen.ts';
import { formatMs, formatCount } from '../format/number.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState, NoMatches } from '../ui/page/empty-state.tsx';
import { ButtonLink } from '../ui/controls/links.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { OUTCOME_LABELS, reasonLabel } from './run-labels.ts';
import styles from './rows-bar.module.css';

/** Lists ingest runs, newest first. */
export function RunTable(props: {
  runs: readonly IngestRun[];
  /** Clears the filters. Undefined if no filter is set. */
  onClear: (() => void) | undefined;
}): ReactNode {
  const { runs, onClear } = props;
  return (
    <DataTable
      caption="Runs"
      rows={runs}
      keyOf={({ id }) => String(id)}
      empty={onClear === undefined ? <NoRuns /> : <NoMatchingRuns onClear={onClear} />}
      columns={[
        { name: 'Time', render: ({ startedAt }) => <RelativeTime at={startedAt} />, isExtra: true },
        { name: 'Source', render: (run) => <SourceCell run={run} /> },
        { name: 'Outcome', render: (run) => <OutcomeCell run={run} /> },
        { name: 'Rows', render: (run) => <RowsBar run={run} /> },
        { name: 'Duration', isNumber: true, render: ({ durationMs }) => formatMs(durationMs) },
      ]}
    />
  );
}

function SourceCell({ run }: { run: IngestRun }): ReactNode {
  const { provider, feed, datasets, url, startedAt } = run;
  return (
    <Stack gap={0} maw={360} miw={120}>
      <Text size="sm" fw={550}>
        {feed === null || feed === provider ? provider : `${provider}, ${feed}`}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} lineClamp={2} title={url}>
        {datasets.length > 0 && `${datasets.join(', ')} · `}
        {url}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        <RelativeTime at={startedAt} />
      </Text>
    </Stack>
  );
}

function OutcomeCell({ run: { outcome, reason } }: { run: IngestRun }): ReactNode {
  const { tone, text } = OUTCOME_LABELS[outcome];
  return (
    <Stack gap={3} align="flex-start" maw={280} miw={110}>
      <StatusBadge tone={tone}>{text}</StatusBadge>
      {reason !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {reasonLabel(reason)}
        </Text>
      )}
    </Stack>
  );
}

function NoMatchingRuns({ onClear }: { onClear: () => void }): ReactNode {
  return <NoMatches items="runs" onClear={onClear} />;
}

function NoRuns(): ReactNode {
  return (
    <EmptyState
      icon={<IconActivity size={24} />}
      title="No runs yet"
      action={
        <ButtonLink size="sm" mt="sm" variant="default" to="/operator/sources">
          View sources
        </ButtonLink>
      }
    >
      A run is one request to a source, whether it succeeds or fails. Runs are kept for 30 days.
    </EmptyState>
  );
}

/** Shows a response's row counts as a bar and as numbers. */
function RowsBar({ run }: { run: IngestRun }): ReactNode {
  const parts = partsOf(run).filter(({ count }) => count > 0);
  if (parts.length === 0) return <span className={styles['none']}>No rows</span>;
  return (
    <div className={styles['rows']}>
      <span className={styles['bar']} aria-hidden>
        {parts.map(({ kind, count }) => (
          <span key={kind} data-kind={kind} style={{ flexGrow: count }} />
        ))}
      </span>
      <ul className={styles['figures']} aria-label={`${formatCount(run.rowsSeen)} rows`}>
        {parts.map(({ kind, count, text }) => (
          <li key={kind} data-kind={kind}>
            {formatCount(count)} {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function partsOf(run: IngestRun): readonly { kind: string; count: number; text: string }[] {
  return [
    { kind: 'new', count: run.rowsNew, text: 'new' },
    { kind: 'changed', count: run.rowsChanged, text: 'changed' },
    { kind: 'same', count: run.rowsSame, text: 'unchanged' },
    { kind: 'quarantined', count: run.rowsQuarantined, text: 'quarantined' },
  ];
}
