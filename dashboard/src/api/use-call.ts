import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCustomerId } from '../session/customer.ts';
import { type ResponseData, call, type CallName, type Input } from './call.ts';
import type { ApiProblem } from './problem.ts';

export interface UseCallOptions {
  /** The polling interval while the page is visible. */
  everyMs?: number;
  isEnabled?: boolean;
  /** Keeps the previous page visible while the next one loads. */
  keepsPrevious?: boolean;
  /** False to discard the response once no component shows it. Defaults to true. */
  isKept?: boolean;
}

/** The polling interval for live lists and figures. */
export const LIVE_MS = 3_000;
/** The polling interval for figures that change slowly. */
export const CALM_MS = 15_000;

/** Returns the response to a read call. Components with the same query share one request. */
export function useCall<N extends CallName>(
  name: N,
  input: Input<N>,
  options: UseCallOptions = {},
): UseQueryResult<ResponseData<N>, ApiProblem> {
  const customerId = useCustomerId();
  const { everyMs, isEnabled = true, keepsPrevious = false, isKept = true } = options;
  return useQuery<ResponseData<N>, ApiProblem>({
    queryKey: callKey(name, customerId, input),
    queryFn: ({ signal }) => call(name, input, { customerId, signal }),
    enabled: isEnabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(isKept ? {} : { gcTime: 0 }),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  } as Parameters<typeof useQuery<ResponseData<N>, ApiProblem>>[0]);
}

export function callKey(
  name: CallName,
  customerId: string | null,
  input: object,
): readonly unknown[] {
  return [name, customerId, input];
}
