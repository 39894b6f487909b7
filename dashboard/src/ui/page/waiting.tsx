import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';

/** The grey block that stands where something is on its way. */
export function Waiting(props: { height: number }): ReactNode {
  return <Skeleton height={props.height} radius="md" role="status" aria-label="Loading" />;
}
