import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * What may be as long as people make it, in a cell of a table: it breaks anywhere, so that the table
 * keeps its width. With `lines` no more than those stand there, and `whole` is told on hover; then
 * the whole must stand somewhere else too, for those who do not hover.
 */
export function LongText(props: {
  children: ReactNode;
  lines?: number;
  whole?: string;
  /** Sentences take what is left of the width. */
  isWide?: boolean;
}): ReactNode {
  const { children, lines, whole, isWide = false } = props;
  return (
    <Text
      size="sm"
      lh={1.45}
      miw={isWide ? 170 : 130}
      maw={isWide ? undefined : 320}
      style={{ overflowWrap: 'anywhere' }}
      component="div"
      {...(lines === undefined ? {} : { lineClamp: lines })}
      {...(whole === undefined ? {} : { title: whole })}
    >
      {children}
    </Text>
  );
}
