import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuarantinedRowDetail } from '../api/calls.gen.ts';
import { fieldsOf } from '../format/value.ts';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { type Side, SideBySide } from '../ui/tables/side-by-side.tsx';

/** The row next to other rows that the same source sent for the same entity. */
export function RowComparison({ row }: { row: QuarantinedRowDetail }): ReactNode {
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
