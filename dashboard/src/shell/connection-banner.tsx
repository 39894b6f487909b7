import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { isTransient } from '../api/problem.ts';

/** A banner while polling fails, since the page would otherwise show stale data without notice. */
export function ConnectionBanner(): ReactNode {
  const isOffline = useIsOffline();
  return (
    <div role="status">
      {isOffline && (
        <Alert variant="light" color="yellow" maw={1240} mx="auto" mb="lg" p="xs" px="md">
          The service isn’t responding. This data may be outdated. Retrying…
        </Alert>
      )}
    </div>
  );
}

/** True if refreshing any visible data failed with a retryable error. */
function useIsOffline(): boolean {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  return useSyncExternalStore(subscribe, () =>
    cache
      .getAll()
      .some(
        (query) =>
          query.isActive() && query.state.data !== undefined && isTransient(query.state.error),
      ),
  );
}
