import type { ReactNode } from 'react';
import styles from './month-table.module.css';

const MEANINGS = [
  { kind: 'open', text: 'full session' },
  { kind: 'short', text: 'short session' },
  { kind: 'closed', text: 'closed' },
  { kind: 'open', text: 'changed here', isChanged: true },
];

/** What the looks of a day mean. */
export function MonthLegend(): ReactNode {
  return (
    <ul className={styles['legend']} aria-label="What the colours mean">
      {MEANINGS.map(({ kind, text, isChanged = false }) => (
        <li key={text}>
          <span className={styles['day']} data-kind={kind} data-changed={isChanged} />
          {text}
        </li>
      ))}
    </ul>
  );
}
