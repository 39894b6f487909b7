import { Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDistance, formatHere, formatNewYork } from '../../format/time.ts';
import styles from './moment.module.css';
import { STEP_MS, useNow } from './use-now.ts';

/** When something was, as a distance; the exact time here and in New York is told on hover and focus. */
export function Moment(props: { at: string | null; none?: string }): ReactNode {
  const { at, none = 'never' } = props;
  const stepped = useNow();
  if (at === null) {
    return (
      <Text span inherit c="dimmed">
        {none}
      </Text>
    );
  }
  // What an answer brought since the last step is not yet to come.
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
