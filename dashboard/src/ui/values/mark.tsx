import type { ReactNode } from 'react';
import styles from './mark.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'dawn' | 'dusk';

/** A state in a word, with its colour as an aid and never as the only sign. */
export function Mark(props: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className={styles['mark']} data-tone={props.tone}>
      {props.children}
    </span>
  );
}
