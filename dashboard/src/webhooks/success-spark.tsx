import type { ReactNode } from 'react';
import type { AttemptSlice } from '../api/calls.gen.ts';

const WIDTH = 120;
const HEIGHT = 26;

/** A sparkline of successful and failed attempts by hour. */
export function SuccessSpark(props: { slices: readonly AttemptSlice[]; label: string }): ReactNode {
  const { slices, label } = props;
  const top = Math.max(1, ...slices.map(({ delivered, failed }) => delivered + failed));
  const step = WIDTH / Math.max(1, slices.length);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      {slices.map(({ at, delivered, failed }, index) => {
        const good = barHeight(delivered, top);
        const bad = barHeight(failed, top);
        const column = { x: index * step, width: Math.max(1, step - 1) };
        return (
          <g key={at}>
            <rect {...column} y={HEIGHT - 1} height={1} fill="var(--line)" />
            <rect {...column} y={HEIGHT - good} height={good} fill="var(--chart-1)" />
            <rect {...column} y={HEIGHT - good - bad} height={bad} fill="var(--chart-4)" />
          </g>
        );
      })}
    </svg>
  );
}

/** Non-zero values get a minimum height, so that they stay visible. */
function barHeight(value: number, top: number): number {
  return value === 0 ? 0 : Math.max(2, (value / top) * (HEIGHT - 2));
}
