import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount, formatShare } from '../format/number.ts';
import styles from './share-bars.module.css';

export interface Share {
  name: ReactNode;
  key: string;
  value: number;
  color?: string;
}

/** Shows the parts of a total as bars, each with its number and share. */
export function ShareBars({ parts }: { parts: readonly Share[] }): ReactNode {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  if (total === 0) {
    return (
      <Text size="sm" c="dimmed">
        No requests in this period.
      </Text>
    );
  }
  return (
    <ul className={styles['list']}>
      {parts.map(({ key, name, value, color = 'var(--chart-1)' }) => (
        <li key={key}>
          <div className={styles['head']}>
            <span className={styles['name']}>{name}</span>
            <span className={styles['figure']}>
              {formatCount(value)} · {formatShare(value / total)}
            </span>
          </div>
          <div className={styles['track']} aria-hidden>
            <span
              className={styles['bar']}
              style={{ width: `${(value / total) * 100}%`, background: color }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
