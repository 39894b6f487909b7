import type { ReactNode } from 'react';
import styles from './share-bar.module.css';

/** A figure with a bar that shows its share of a whole. */
export function ShareBar(props: {
  /** From 0 to 1. Larger values are capped. */
  share: number;
  text: ReactNode;
  note?: ReactNode;
  tone?: 'plain' | 'warn' | 'bad';
}): ReactNode {
  const { share, text, note, tone = 'plain' } = props;
  const width = share <= 0 ? 0 : Math.max(2, Math.min(100, share * 100));
  return (
    <div className={styles['bar']}>
      <div className={styles['words']}>
        <b>{text}</b>
        {note !== undefined && <span>{note}</span>}
      </div>
      <div className={styles['track']} aria-hidden>
        <span className={styles['fill']} data-tone={tone} style={{ width: `${width}%` }} />
      </div>
    </div>
  );
}
