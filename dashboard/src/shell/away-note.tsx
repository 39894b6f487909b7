import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { isPassing } from '../api/problem.ts';

/**
 * Above every screen while what it shows is asked for anew in vain: it stands as it was, and nothing
 * else would tell that it is old.
 */
export function AwayNote(): ReactNode {
  const isAway = useIsAway();
  return (
    <div role="status">
      {isAway && (
        <Alert variant="light" color="yellow" maw={1240} mx="auto" mb="lg" p="xs" px="md">
          The service does not answer. What stands here may be old; this page goes on asking.
        </Alert>
      )}
    </div>
  );
}

/** Whether anything that is shown could not be asked for again, and may be later. */
function useIsAway(): boolean {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((tell: () => void) => cache.subscribe(tell), [cache]);
  return useSyncExternalStore(subscribe, () =>
    cache
      .getAll()
      .some(
        (query) =>
          query.isActive() && query.state.data !== undefined && isPassing(query.state.error),
      ),
  );
}
