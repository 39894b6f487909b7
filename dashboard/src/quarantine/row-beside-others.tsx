import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuarantinedRowDetail } from '../api/calls.gen.ts';
import { fieldsOf } from '../format/value.ts';
import { Moment } from '../ui/values/moment.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { type Side, SideBySide } from '../ui/tables/side-by-side.tsx';

/** The row field by field, beside what the same source says of the same thing in other words. */
export function RowBesideOthers({ of: row }: { of: QuarantinedRowDetail }): ReactNode {
  const kept = fieldsOf(row.row);
  const others = row.others.flatMap(({ row: other, at }, index): Side[] => {
    const values = fieldsOf(other);
    const head = <OtherHead at={at} isNewest={index === 0} />;
    return values === null ? [] : [{ key: `${at} ${index}`, head, values }];
  });
  if (kept === null) return null;
  return (
    <Panel title="What it says" isFlush>
      <SideBySide
        caption="The row beside what the source said otherwise"
        sides={[{ key: 'kept', head: 'Kept out', values: kept, isMain: true }, ...others]}
      />
      {others.length === 0 && (
        <Text size="sm" c="dimmed" px="lg" py="sm">
          The source says nothing else of the same thing: nothing of it stands in its place.
        </Text>
      )}
    </Panel>
  );
}

function OtherHead({ at, isNewest }: { at: string; isNewest: boolean }): ReactNode {
  return (
    <>
      {isNewest ? 'Said otherwise' : 'Before that'} <Moment at={at} />
    </>
  );
}
