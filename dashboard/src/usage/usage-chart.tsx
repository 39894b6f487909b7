import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { startOfStep, type Step } from '../format/new-york.ts';
import { formatCompact, formatCount } from '../format/number.ts';
import { niceTicks } from '../format/nice-ticks.ts';
import { EVEN } from '../ui/charts/even-labels.ts';
import { type SeriesTable, sumOf } from './series.ts';
import { tickOfDay, tickOfStep } from './step-label.ts';
import { StepTooltip } from './step-tooltip.tsx';

/** Requests over time as stacked bars. The table view has the same data. */
export function UsageChart({ table, by }: { table: SeriesTable; by: Step }): ReactNode {
  const { series, slots, total } = table;
  const shown = series.map(({ id, label, color }) => ({ name: id, label, color }));
  const ticks = niceTicks(Math.max(...slots.map((slot) => sumOf(slot, table))));
  return (
    <figure style={{ margin: 0 }} aria-label={sayChart(table, by)}>
      <BarChart
        h={280}
        data={[...slots]}
        dataKey="at"
        type="stacked"
        series={shown}
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: 'bottom', height: 40 }}
        barChartProps={{ margin: { top: 12 } }}
        tickLine="none"
        gridAxis="x"
        valueFormatter={formatCount}
        maxBarWidth={34}
        barProps={{ isAnimationActive: false }}
        xAxisProps={xAxisOf(table, by)}
        yAxisProps={{
          tickFormatter: formatCompact,
          width: 44,
          ticks,
          domain: [0, ticks.at(-1) ?? 1],
        }}
        tooltipProps={{ content: <StepTooltip series={shown} by={by} /> }}
        {...(total === 0 ? { withTooltip: false } : {})}
      />
    </figure>
  );
}

/** For hours over several days, labels only midnights. */
function xAxisOf({ slots }: SeriesTable, by: Step) {
  const shown = {
    tickFormatter: (at: number) => tickOfStep(at, by),
    minTickGap: 28,
    interval: EVEN,
  };
  if (by === 'day') return shown;
  const midnights = slots.map(({ at }) => at).filter((at) => startOfStep(at, 'day') === at);
  return midnights.length < 3 ? shown : { ...shown, tickFormatter: tickOfDay, ticks: midnights };
}

function sayChart({ series, total, slots }: SeriesTable, by: Step): string {
  const parts = series.map((one) => `${one.label} ${formatCount(one.total)}`).join(', ');
  return `${formatCount(total)} requests in ${slots.length} ${by}s: ${parts}. See the table for all figures.`;
}
