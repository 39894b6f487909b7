import type { ReactNode } from 'react';
import styles from './two-columns.module.css';

/** A wide and a narrow column, which are stacked on narrow screens. */
export function TwoColumns(props: { main: ReactNode; side: ReactNode }): ReactNode {
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>{props.main}</div>
      <div className={styles['column']}>{props.side}</div>
    </div>
  );
}
