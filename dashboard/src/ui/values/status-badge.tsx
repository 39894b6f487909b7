import type { ReactNode } from 'react';
import styles from './status-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'dawn' | 'dusk';

/** A status label. Color is only a hint, never the only sign. */
export function StatusBadge(props: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className={styles['mark']} data-tone={props.tone}>
      {props.children}
    </span>
  );
}
