import { Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../format/number.ts';
import { formatHere, zoneHere } from '../format/time.ts';
import { type BarSeries, StackedBars } from '../ui/charts/stacked-bars.tsx';
import type { Hour } from './hours.ts';

/** Shows stacked bars for 24 hours, with a table for screen readers. */
export function HourChart(props: {
  caption: string;
  hours: readonly Hour[];
  series: readonly BarSeries[];
}): ReactNode {
  const { caption, hours, series } = props;
  return (
    <>
      <StackedBars
        slots={hours.map(({ at, figures }) => ({ key: at, label: hourHere(at), figures }))}
        series={series}
      />
      <Text size="xs" c="dimmed" mt="xs">
        Times in {zoneHere(hours.at(-1)?.at ?? 0)}
      </Text>
      <VisuallyHidden>
        <Table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Hour</th>
              {series.map(({ name, label }) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map(({ at, figures }) => (
              <tr key={at}>
                <th scope="row">{formatHere(at)}</th>
                {series.map(({ name }) => (
                  <td key={name}>{formatCount(figures[name] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </VisuallyHidden>
    </>
  );
}

const hour = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

function hourHere(at: string): string {
  return hour.format(new Date(at));
}
