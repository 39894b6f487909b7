import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ApiProblem, readProblem, unreachable } from './problem.ts';
import { CALM_MS } from './use-call.ts';

/** The body of the public `/status` endpoint. */
export interface ServiceStatus {
  status: 'ready' | 'starting';
  dataSource: string;
  synthetic: boolean;
  timestamp: string;
  datasets: readonly DatasetFreshness[];
}

export interface DatasetFreshness {
  dataset: string;
  /** `idle` and `replayed` mean that no update is scheduled. */
  state: 'fresh' | 'late' | 'failing' | 'empty' | 'idle' | 'replayed';
  lastSuccessAt: string | null;
  lastChangeAt: string | null;
  ageSeconds: number | null;
  /** The age at which the dataset is considered late, or null if no update is scheduled. */
  targetSeconds: number | null;
}

/**
 * Returns the dataset freshness from the public status endpoint, which isn't part of the management
 * API.
 */
export function useServiceStatus(): UseQueryResult<ServiceStatus, ApiProblem> {
  return useQuery<ServiceStatus, ApiProblem>({
    queryKey: ['status'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/status', {
        headers: { Accept: 'application/json' },
        signal,
      }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw unreachable();
      });
      if (!response.ok) throw await readProblem(response);
      return (await response.json()) as ServiceStatus;
    },
    refetchInterval: CALM_MS,
  });
}
