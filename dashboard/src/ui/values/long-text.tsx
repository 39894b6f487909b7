import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * Text of any length in a table cell. It can break anywhere, so that the table keeps its width.
 * `lines` limits its height, and `fullText` is its title on hover. The full text should also be
 * available elsewhere, for users who can't hover.
 */
export function LongText(props: {
  children: ReactNode;
  lines?: number;
  fullText?: string;
  /** True to use the available width, for sentences. */
  isWide?: boolean;
}): ReactNode {
  const { children, lines, fullText, isWide = false } = props;
  return (
    <Text
      size="sm"
      lh={1.45}
      miw={isWide ? 170 : 130}
      maw={isWide ? undefined : 320}
      style={{ overflowWrap: 'anywhere' }}
      component="div"
      {...(lines === undefined ? {} : { lineClamp: lines })}
      {...(fullText === undefined ? {} : { title: fullText })}
    >
      {children}
    </Text>
  );
}
