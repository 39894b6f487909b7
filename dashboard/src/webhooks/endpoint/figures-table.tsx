import type { ReactNode } from 'react';
import type { AttemptSlice } from '../../api/calls.gen.ts';
import { describeError } from '../../deliveries/delivery-errors.ts';
import type { Step } from '../../format/new-york.ts';
import { formatCount, formatMs } from '../../format/number.ts';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { sliceTitle } from './slice-name.ts';

/** Shows the chart's data as a table, without empty rows. */
export function FiguresTable(props: { slices: readonly AttemptSlice[]; step: Step }): ReactNode {
  const { slices, step } = props;
  const attempted = slices.filter(({ delivered, failed }) => delivered + failed > 0).toReversed();
  const ms = (value: number | null): string => (value === null ? '–' : formatMs(value));
  return (
    <DataTable
      caption={`Attempts by ${step}`}
      rows={attempted}
      keyOf={({ at }) => at}
      empty="No attempts in this period."
      columns={[
        {
          name: step === 'day' ? 'Day (New York)' : 'Hour',
          render: ({ at }) => sliceTitle(at, step),
        },
        { name: 'Succeeded', isNumber: true, render: (row) => formatCount(row.delivered) },
        { name: 'Failed', isNumber: true, render: (row) => formatCount(row.failed) },
        { name: 'p50', isNumber: true, render: ({ p50Ms }) => ms(p50Ms) },
        { name: 'p95', isNumber: true, render: ({ p95Ms }) => ms(p95Ms) },
        { name: 'Errors', isExtra: true, render: ({ errors }) => errorCounts(errors) },
      ]}
    />
  );
}

/** Formats error counts as `server error 3, timeout 1`. */
function errorCounts(errors: Readonly<Record<string, number>>): string {
  const parts = Object.entries(errors).map(
    ([code, count]) => `${describeError(code).name} ${count}`,
  );
  return parts.length === 0 ? '–' : parts.join(', ');
}
