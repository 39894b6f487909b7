import { Grid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuarantinedRowDetail } from '../api/calls.gen.ts';
import { formatBytes } from '../format/number.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { DetailList } from '../ui/values/detail-list.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { DocumentPanel } from './document-panel.tsx';
import { ResolveForm } from './resolve-form.tsx';
import { STATE_LABELS } from './quarantine-state.ts';
import { fieldsOf } from '../format/value.ts';
import { type Side, SideBySide } from '../ui/tables/side-by-side.tsx';

/** Shows a quarantined row with its values, the current data, the decision, and its origin. */
export function QuarantinedDetail({ row }: { row: QuarantinedRowDetail }): ReactNode {
  const { tone, text } = STATE_LABELS[row.state];
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="lg">
          {row.document !== null && <DocumentPanel document={row.document} />}
          <RowComparison row={row} />
          <Panel title="Raw row">
            <CopyText text={JSON.stringify(row.row, null, 2)} what="row" isBlock />
          </Panel>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="lg">
          <Panel title="Decision" aside={<StatusBadge tone={tone}>{text}</StatusBadge>}>
            <Stack gap="md">
              {row.decision !== null && <Decision decision={row.decision} />}
              <ResolveForm key={row.state} row={row} />
            </Stack>
          </Panel>
          <Panel title="Origin">
            <Origin row={row} />
          </Panel>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function Decision({
  decision,
}: {
  decision: NonNullable<QuarantinedRowDetail['decision']>;
}): ReactNode {
  return (
    <DetailList
      items={[
        { name: 'Decided', value: <RelativeTime at={decision.at} /> },
        { name: 'By', value: decision.by },
        { name: 'Reason', value: decision.why },
      ]}
    />
  );
}

function Origin({
  row: { provider, feed, dataset, at, answer },
}: {
  row: QuarantinedRowDetail;
}): ReactNode {
  return (
    <DetailList
      items={[
        { name: 'Source', value: `${provider}, ${feed}` },
        { name: 'Dataset', value: dataset },
        { name: 'Request URL', value: answer.url },
        {
          name: 'Response',
          value: `#${answer.id}, HTTP ${answer.status}, ${formatBytes(answer.sizeBytes)}`,
        },
        { name: 'Published', value: <RelativeTime at={answer.observedAt} /> },
        { name: 'Received', value: <RelativeTime at={answer.receivedAt} /> },
        { name: 'Last seen', value: <RelativeTime at={at} /> },
      ]}
    />
  );
}

/** Compares the row with other rows that the same source sent for the same entity. */
function RowComparison({ row }: { row: QuarantinedRowDetail }): ReactNode {
  const fields = fieldsOf(row.row);
  const others = row.others.flatMap(({ row: other, at }, index): Side[] => {
    const values = fieldsOf(other);
    const head = <OtherRowHead at={at} isNewest={index === 0} />;
    return values === null ? [] : [{ key: `${at} ${index}`, head, values }];
  });
  if (fields === null) return null;
  return (
    <Panel title="Comparison" isFlush>
      <SideBySide
        caption="Quarantined row compared with other rows from this source"
        sides={[{ key: 'kept', head: 'Quarantined', values: fields, isMain: true }, ...others]}
      />
      {others.length === 0 && (
        <Text size="sm" c="dimmed" px="lg" py="sm">
          The source has no other rows for this entity.
        </Text>
      )}
    </Panel>
  );
}

function OtherRowHead({ at, isNewest }: { at: string; isNewest: boolean }): ReactNode {
  return (
    <>
      {isNewest ? 'Latest other row' : 'Earlier row'} <RelativeTime at={at} />
    </>
  );
}
