import { Alert, Button, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ApiProblem, canRetry } from '../../api/problem.ts';
import { LoadingBlock } from './loading-block.tsx';

/** Renders a query's loading, failed, or loaded state. */
export function Loaded<T>(props: {
  query: UseQueryResult<T, ApiProblem>;
  /** The height of the loading placeholder. */
  height?: number;
  children: (data: T) => ReactNode;
}): ReactNode {
  const { query, height = 160, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) {
    return (
      <Alert color="red" variant="light" title="Couldn’t load data" m="md">
        <Stack align="flex-start" gap="sm">
          {query.error.message}
          {canRetry(query.error) && (
            <Button size="xs" variant="default" onClick={() => void query.refetch()}>
              Try again
            </Button>
          )}
        </Stack>
      </Alert>
    );
  }
  return <LoadingBlock height={height} />;
}
