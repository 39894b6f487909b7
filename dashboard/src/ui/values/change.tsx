import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatSignedPercent } from '../../format/number.ts';

/**
 * A signed percentage with an arrow, so that the direction doesn't depend on color. `says` is a
 * hidden label in front of it.
 */
export function Change(props: {
  percent: number | null;
  label?: string;
  /** Shows the arrow only; the figure is for screen readers. */
  isShort?: boolean;
}): ReactNode {
  const { percent, label, isShort = false } = props;
  if (percent === null) return '–';
  const figure = formatSignedPercent(percent);
  return (
    <span className="figure" style={{ color: colorOf(percent), whiteSpace: 'nowrap' }}>
      {label !== undefined && <VisuallyHidden>{label} </VisuallyHidden>}
      <span aria-hidden>{percent > 0 ? '▲' : percent < 0 ? '▼' : '='}</span>{' '}
      {isShort ? <VisuallyHidden>{figure}</VisuallyHidden> : figure}
    </span>
  );
}

function colorOf(percent: number): string {
  if (percent === 0) return 'var(--soft)';
  return percent > 0 ? 'var(--good)' : 'var(--bad)';
}
