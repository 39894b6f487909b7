import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Quota } from '../api/calls.gen.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { formatCompact, formatCount } from '../format/number.ts';
import { formatNewYork } from '../format/time.ts';
import { windowStart } from '../overview/pace.ts';
import { EVEN_LABELS } from '../ui/charts/axis-labels.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { burnDown, type BurnPoint, stepOf } from './burn-down.ts';
import { niceTicks } from '../format/nice-ticks.ts';
import { stepTick } from './step-label.ts';
import { StepTooltip } from './step-tooltip.tsx';

const SERIES = [
  { name: 'used', label: 'Used', color: 'var(--chart-1)' },
  { name: 'even', label: 'Even usage', color: 'var(--line-strong)', strokeDasharray: '5 5' },
];

/** Charts a quota's usage over its day or month, compared with even usage. */
export function BurnDownChart({ quota }: { quota: Quota }): ReactNode {
  const step = stepOf(quota);
  const now = useNow();
  const from = new Date(windowStart(quota)).toISOString();
  const usage = useCall(
    'usage-read',
    { query: { by: step, split: 'status', from } },
    { everyMs: CALM_MS },
  );
  const { used, limit, window, resetAt } = quota;
  const ticks = niceTicks(Math.max(limit, used));
  const summary = `${formatCount(used)} of ${formatCount(limit)} requests used this ${window}, ${describeDifference(quota, now)}.`;
  return (
    <Loaded query={usage} height={240}>
      {({ rows }) => (
        <figure style={{ margin: 0 }}>
          <Text component="figcaption" size="sm" c="dimmed" mb="sm">
            {summary} Resets {formatNewYork(resetAt)}.
          </Text>
          <LineChart
            h={210}
            data={burnDown(quota, rows, now).map((point: BurnPoint) => ({ ...point }))}
            dataKey="at"
            series={SERIES}
            curveType="linear"
            withDots={false}
            strokeWidth={2.2}
            connectNulls={false}
            tickLine="none"
            gridAxis="x"
            lineProps={{ isAnimationActive: false }}
            referenceLines={[
              { y: limit, label: 'limit', labelPosition: 'insideBottomLeft', color: 'var(--bad)' },
            ]}
            lineChartProps={{ margin: { top: 12, right: 4 } }}
            xAxisProps={{
              tickFormatter: (at: number) => stepTick(at, step),
              minTickGap: 32,
              interval: EVEN_LABELS,
            }}
            yAxisProps={{
              tickFormatter: formatCompact,
              width: 44,
              ticks,
              domain: [0, ticks.at(-1) ?? 1],
            }}
            tooltipProps={{ content: <StepTooltip series={SERIES} step="hour" prefix="up to" /> }}
          />
        </figure>
      )}
    </Loaded>
  );
}

function describeDifference(quota: Quota, now: number): string {
  const start = windowStart(quota);
  const even = (quota.limit * (now - start)) / (Date.parse(quota.resetAt) - start);
  const difference = Math.round(quota.used - even);
  if (difference === 0) return 'in line with even usage';
  const comparison = difference > 0 ? 'more' : 'fewer';
  return `${formatCount(Math.abs(difference))} ${comparison} than even usage`;
}
