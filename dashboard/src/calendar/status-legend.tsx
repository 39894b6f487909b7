import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './report-chip.module.css';

const STATUSES = [
  ['projected', 'a guess; the company has not named the day'],
  ['confirmed', 'named by the company'],
  ['reported', 'results are out; ▲▼ EPS against the estimate'],
] as const;

/** How sure a day is, as the chips draw it. */
export function StatusLegend(): ReactNode {
  return (
    <Group gap="lg" component="section" aria-label="What the edges mean">
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
