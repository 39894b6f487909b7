import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './report-chip.module.css';

const STATUSES = [
  ['projected', 'estimated; not announced by the company'],
  ['confirmed', 'announced by the company'],
  ['reported', 'results published; ▲▼ EPS surprise'],
] as const;

/** Explains the chip styles of the date statuses. */
export function StatusLegend(): ReactNode {
  return (
    <Group gap="lg" component="section" aria-label="Date status">
      {STATUSES.map(([status, meaning]) => (
        <Group key={status} gap={8} wrap="nowrap">
          <span className={styles['sample']}>
            <span className={styles['chip']} data-sure={status} data-size="small">
              {status}
            </span>
          </span>
          <Text size="xs" c="dimmed">
            {meaning}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
