import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuarantinedRowDetail } from '../api/calls.gen.ts';
import { fieldsOf } from '../format/value.ts';
import { Moment } from '../ui/values/moment.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { type Side, SideBySide } from '../ui/tables/side-by-side.tsx';

/** The row next to other rows that the same source sent for the same entity. */
export function RowBesideOthers({ row }: { row: QuarantinedRowDetail }): ReactNode {
  const kept = fieldsOf(row.row);
  const others = row.others.flatMap(({ row: other, at }, index): Side[] => {
    const values = fieldsOf(other);
    const head = <OtherHead at={at} isNewest={index === 0} />;
    return values === null ? [] : [{ key: `${at} ${index}`, head, values }];
  });
  if (kept === null) return null;
  return (
    <Panel title="Comparison" isFlush>
      <SideBySide
        caption="Quarantined row compared with other rows from this source"
        sides={[{ key: 'kept', head: 'Quarantined', values: kept, isMain: true }, ...others]}
      />
      {others.length === 0 && (
        <Text size="sm" c="dimmed" px="lg" py="sm">
          The source has no other rows for this entity.
        </Text>
      )}
    </Panel>
  );
}

function OtherHead({ at, isNewest }: { at: string; isNewest: boolean }): ReactNode {
  return (
    <>
      {isNewest ? 'Latest other row' : 'Earlier row'} <Moment at={at} />
    </>
  );
}
