import type { ReactNode } from 'react';
import { Change } from '../values/change.tsx';
import styles from './diverging-bar.module.css';

/**
 * Shows a percentage as a bar that starts at the center and extends right for gains and left for
 * losses. A value of `maximum` fills one side.
 */
export function DivergingBar(props: { percent: number | null; maximum: number }): ReactNode {
  const { percent, maximum } = props;
  if (percent === null) return '–';
  const share = Math.min(1, Math.abs(percent) / Math.max(maximum, Number.EPSILON)) * 50;
  return (
    <span className={styles['row']}>
      <span className={styles['track']} aria-hidden>
        <span
          className={styles['bar']}
          data-up={percent >= 0}
          style={{ width: `${share}%`, left: percent >= 0 ? '50%' : `${50 - share}%` }}
        />
      </span>
      <span className={styles['figure']}>
        <Change percent={percent} />
      </span>
    </span>
  );
}
