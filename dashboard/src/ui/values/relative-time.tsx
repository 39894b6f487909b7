import { Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDistance, formatHere, formatNewYork } from '../../format/time.ts';
import styles from './relative-time.module.css';
import { STEP_MS, useNow } from './use-now.ts';

/** Shows a relative time. Hover and focus show the exact time, both local and in New York. */
export function RelativeTime(props: { at: string | null; placeholder?: string }): ReactNode {
  const { at, placeholder = 'never' } = props;
  const stepped = useNow();
  if (at === null) {
    return (
      <Text span inherit c="dimmed">
        {placeholder}
      </Text>
    );
  }
  // The shared clock is updated only every few seconds, so a timestamp slightly ahead of it isn't
  // in the future.
  const ahead = Date.parse(at) - stepped;
  const now = ahead > 0 && ahead <= STEP_MS ? stepped + ahead : stepped;
  return (
    <Tooltip
      events={{ hover: true, focus: true, touch: true }}
      label={
        <>
          {formatHere(at)}
          <br />
          {formatNewYork(at)}
        </>
      }
    >
      <time dateTime={at} className={styles.moment}>
        {formatDistance(at, now)}
      </time>
    </Tooltip>
  );
}
