import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AttemptSlice } from '../../api/calls.gen.ts';
import { formatMs } from '../../format/number.ts';
import type { Step } from '../../format/new-york.ts';
import { EVEN_LABELS } from '../../ui/charts/axis-labels.ts';
import { sliceName } from './slice-name.ts';

const SERIES = [
  { name: 'p50Ms', label: 'Median (p50)', color: 'var(--chart-1)' },
  { name: 'p95Ms', label: '95th percentile (p95)', color: 'var(--chart-2)' },
];

/** Charts the median and 95th percentile of attempt durations. */
export function LatencyChart(props: { slices: readonly AttemptSlice[]; step: Step }): ReactNode {
  const { slices, step } = props;
  const measured = slices.filter(({ p50Ms }) => p50Ms !== null);
  if (measured.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No attempts in this period.
      </Text>
    );
  }
  const slowest = Math.max(...measured.map(({ p95Ms }) => p95Ms ?? 0));
  const summary = `Attempt duration by ${step}; the highest 95th percentile is ${formatMs(slowest)}`;
  return (
    <div role="img" aria-label={summary}>
      <LineChart
        h={200}
        data={slices.map((slice) => ({
          ...slice,
          name: sliceName(slice.at, step, slices.length > 26),
        }))}
        dataKey="name"
        series={SERIES}
        withLegend
        tickLine="none"
        xAxisProps={{ minTickGap: 40, interval: EVEN_LABELS, padding: { left: 20, right: 20 } }}
        connectNulls={false}
        valueFormatter={formatMs}
        curveType="linear"
        yAxisProps={{ width: 64 }}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
