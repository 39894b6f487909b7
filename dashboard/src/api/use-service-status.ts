import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ApiProblem, readProblem, unreachable } from './problem.ts';
import { CALM_MS } from './use-call.ts';

/** What `/status` tells everybody. */
export interface ServiceStatus {
  status: 'ready' | 'starting';
  dataSource: string;
  synthetic: boolean;
  timestamp: string;
  datasets: readonly DatasetFreshness[];
}

export interface DatasetFreshness {
  dataset: string;
  /** `idle`: nothing is due for it. */
  state: 'fresh' | 'late' | 'failing' | 'empty' | 'idle';
  lastSuccessAt: string | null;
  lastChangeAt: string | null;
  ageSeconds: number | null;
  /** Age at which it counts as late; null when nothing is due. */
  targetSeconds: number | null;
}

/** How fresh the data sets are, from the public status, which is no call of the interface. */
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
