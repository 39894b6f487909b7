import { Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDistance, formatHere, formatNewYork } from '../format/time.ts';
import { useNow } from './use-now.ts';

/** When something was, as a distance; the exact time here and in New York is told on hover and focus. */
export function Moment(props: { at: string | null; none?: string }): ReactNode {
  const { at, none = 'never' } = props;
  const now = useNow();
  if (at === null) {
    return (
      <Text span inherit c="dimmed">
        {none}
      </Text>
    );
  }
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
      <time dateTime={at}>{formatDistance(at, now)}</time>
    </Tooltip>
  );
}
