import type { ReactNode } from 'react';

const GAP = 1;

/** A sparkline made of bars. `label` is its text alternative. */
export function SparkBars(props: {
  values: readonly number[];
  label: string;
  height?: number;
  width?: number;
  color?: string;
}): ReactNode {
  const { values, label, height = 28, width = 120, color = 'var(--chart-1)' } = props;
  const top = Math.max(1, ...values);
  const step = width / Math.max(1, values.length);
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      {values.map((value, index) => {
        const barHeight = value === 0 ? 1 : Math.max(2, (value / top) * height);
        return (
          <rect
            key={index}
            x={index * step}
            y={height - barHeight}
            width={Math.max(1, step - GAP)}
            height={barHeight}
            rx={1}
            fill={value === 0 ? 'var(--line)' : color}
          />
        );
      })}
    </svg>
  );
}
