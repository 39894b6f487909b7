import type { ReactNode } from 'react';
import styles from './month-table.module.css';

const MEANINGS = [
  { kind: 'open', text: 'Full session' },
  { kind: 'short', text: 'Short session' },
  { kind: 'closed', text: 'Closed' },
  { kind: 'open', text: 'Overridden', isChanged: true },
];

/** Explains the day styles. */
export function MonthLegend(): ReactNode {
  return (
    <ul className={styles['legend']} aria-label="Legend">
      {MEANINGS.map(({ kind, text, isChanged = false }) => (
        <li key={text}>
          <span className={styles['day']} data-kind={kind} data-changed={isChanged} />
          {text}
        </li>
      ))}
    </ul>
  );
}
