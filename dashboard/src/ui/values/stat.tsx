import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './stat.module.css';

/** A key figure with its name and an optional note. */
export function Stat(props: { name: string; value: ReactNode; note?: ReactNode }): ReactNode {
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {props.name}
      </Text>
      <Text
        fz={26}
        fw={600}
        lh={1.2}
        lts="-0.02em"
        className={`figure ${styles.value}`}
        component="div"
      >
        {props.value}
      </Text>
      {props.note !== undefined && (
        <Text size="xs" c="dimmed" component="div">
          {props.note}
        </Text>
      )}
    </Stack>
  );
}
