import type { ReactNode } from 'react';
import type { Step } from '../format/new-york.ts';
import { formatCount } from '../format/number.ts';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { type SeriesTable, type Slot, sumOf } from './series.ts';
import { stepLabel } from './step-label.ts';

/** The chart's data as a table, latest first, without empty rows. */
export function UsageTable({ table, step }: { table: SeriesTable; step: Step }): ReactNode {
  const rows = table.slots.filter((slot) => sumOf(slot, table) > 0).toReversed();
  const columns: Column<Slot>[] = [
    {
      name: step === 'hour' ? 'Hour (New York)' : 'Day (New York)',
      render: ({ at }) => stepLabel(at, step),
    },
    ...(table.series.length > 1
      ? table.series.map((series): Column<Slot> => ({
          name: series.label,
          isNumber: true,
          render: (slot) => formatCount(slot[series.id as `s${number}`] ?? 0),
        }))
      : []),
    { name: 'Requests', isNumber: true, render: (slot) => formatCount(sumOf(slot, table)) },
  ];
  return (
    <DataTable
      caption="Requests over time"
      columns={columns}
      rows={rows}
      keyOf={({ at }) => String(at)}
    />
  );
}
