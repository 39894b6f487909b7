import type { ReactNode } from 'react';
import styles from './status-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'dawn' | 'dusk';

/** A status label. The text alone conveys the status, and the color is only a hint. */
export function StatusBadge(props: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className={styles['mark']} data-tone={props.tone}>
      {props.children}
    </span>
  );
}
