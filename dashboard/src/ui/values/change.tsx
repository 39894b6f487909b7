import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatSignedPercent } from '../../format/number.ts';

/**
 * Shows a signed percentage with an arrow, so that the direction doesn't depend on color. `label`
 * is read out before the percentage but isn't visible.
 */
export function Change(props: {
  percent: number | null;
  label?: string;
  /** True to show only the arrow. The percentage is still read out by screen readers. */
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
