import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { startOfStep, type Step } from '../format/new-york.ts';
import { formatCompact, formatCount } from '../format/number.ts';
import { niceTicks } from '../format/nice-ticks.ts';
import { EVEN_LABELS } from '../ui/charts/axis-labels.ts';
import { type SeriesTable, sumOf } from './series.ts';
import { dayTick, stepTick } from './step-label.ts';
import { StepTooltip } from './step-tooltip.tsx';

/** Shows requests over time as stacked bars. The table view has the same data. */
export function UsageChart({ table, step }: { table: SeriesTable; step: Step }): ReactNode {
  const { series, slots, total } = table;
  const chartSeries = series.map(({ id, label, color }) => ({ name: id, label, color }));
  const ticks = niceTicks(Math.max(...slots.map((slot) => sumOf(slot, table))));
  return (
    <figure style={{ margin: 0 }} aria-label={describeChart(table, step)}>
      <BarChart
        h={280}
        data={[...slots]}
        dataKey="at"
        type="stacked"
        series={chartSeries}
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: 'bottom', height: 40 }}
        barChartProps={{ margin: { top: 12 } }}
        tickLine="none"
        gridAxis="x"
        valueFormatter={formatCount}
        maxBarWidth={34}
        barProps={{ isAnimationActive: false }}
        xAxisProps={xAxisOf(table, step)}
        yAxisProps={{
          tickFormatter: formatCompact,
          width: 44,
          ticks,
          domain: [0, ticks.at(-1) ?? 1],
        }}
        tooltipProps={{ content: <StepTooltip series={chartSeries} step={step} /> }}
        {...(total === 0 ? { withTooltip: false } : {})}
      />
    </figure>
  );
}

/**
 * Returns the properties of the x-axis. For hours over several days, only midnights are labeled.
 */
function xAxisOf({ slots }: SeriesTable, step: Step) {
  const axis = {
    tickFormatter: (at: number) => stepTick(at, step),
    minTickGap: 28,
    interval: EVEN_LABELS,
  };
  if (step === 'day') return axis;
  const midnights = slots.map(({ at }) => at).filter((at) => startOfStep(at, 'day') === at);
  return midnights.length < 3 ? axis : { ...axis, tickFormatter: dayTick, ticks: midnights };
}

function describeChart({ series, total, slots }: SeriesTable, step: Step): string {
  const parts = series.map((item) => `${item.label} ${formatCount(item.total)}`).join(', ');
  return `${formatCount(total)} requests in ${slots.length} ${step}s: ${parts}. See the table for all figures.`;
}
