import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import type { AttemptSlice } from '../../api/calls.gen.ts';
import type { Step } from '../../format/new-york.ts';
import { EVEN_LABELS } from '../../ui/charts/axis-labels.ts';
import { sliceName } from './slice-name.ts';

const SERIES = [
  { name: 'delivered', label: 'Succeeded', color: 'var(--chart-1)' },
  { name: 'failed', label: 'Failed', color: 'var(--chart-4)' },
];

/** Charts successful and failed attempts by hour or day. */
export function SuccessChart(props: { slices: readonly AttemptSlice[]; step: Step }): ReactNode {
  const { slices, step } = props;
  const delivered = slices.reduce((sum, slice) => sum + slice.delivered, 0);
  const failed = slices.reduce((sum, slice) => sum + slice.failed, 0);
  const summary = `Attempts by ${step}: ${delivered} succeeded, ${failed} failed`;
  return (
    <div role="img" aria-label={summary}>
      <BarChart
        h={200}
        data={slices.map((slice) => ({
          ...slice,
          name: sliceName(slice.at, step, slices.length > 26),
        }))}
        dataKey="name"
        type="stacked"
        series={SERIES}
        withLegend
        tickLine="none"
        xAxisProps={{ minTickGap: 40, interval: EVEN_LABELS }}
        yAxisProps={{ allowDecimals: false, width: 40 }}
        barProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
