import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';

/** A loading placeholder. */
export function LoadingBlock(props: { height: number }): ReactNode {
  return <Skeleton height={props.height} radius="md" role="status" aria-label="Loading" />;
}
