import { ChartTooltip } from '@mantine/charts';
import type { ReactNode } from 'react';
import type { Step } from '../format/new-york.ts';
import { formatCount } from '../format/number.ts';
import { stepLabel } from './step-label.ts';

interface ShownSeries {
  name: string;
  label: string;
  color: string;
}

/** The chart tooltip for an hour or day. The chart passes the label and payload. */
export function StepTooltip(props: {
  series: ShownSeries[];
  step: Step;
  /** Text in front of the time, for example “up to”. */
  prefix?: string;
  label?: string | number;
  payload?: readonly Record<string, unknown>[];
}): ReactNode {
  const { series, step, prefix = '', label = 0, payload = [] } = props;
  return (
    <ChartTooltip
      label={`${prefix} ${stepLabel(Number(label), step)} New York`}
      payload={[...payload]}
      series={series}
      valueFormatter={(value) => formatCount(Math.round(value))}
    />
  );
}
