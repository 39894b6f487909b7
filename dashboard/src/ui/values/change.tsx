import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatSignedPercent } from '../../format/number.ts';

/**
 * Percent points with their direction as an arrow, so that colour is never the only sign. `says` is
 * heard before the figure: what it is a change of.
 */
export function Change(props: {
  percent: number | null;
  says?: string;
  /** The arrow alone; the figure is only heard. */
  isShort?: boolean;
}): ReactNode {
  const { percent, says, isShort = false } = props;
  if (percent === null) return '–';
  const figure = formatSignedPercent(percent);
  return (
    <span className="figure" style={{ color: colorOf(percent), whiteSpace: 'nowrap' }}>
      {says !== undefined && <VisuallyHidden>{says} </VisuallyHidden>}
      <span aria-hidden>{percent > 0 ? '▲' : percent < 0 ? '▼' : '='}</span>{' '}
      {isShort ? <VisuallyHidden>{figure}</VisuallyHidden> : figure}
    </span>
  );
}

function colorOf(percent: number): string {
  if (percent === 0) return 'var(--soft)';
  return percent > 0 ? 'var(--good)' : 'var(--bad)';
}
