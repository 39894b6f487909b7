import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCustomerId } from '../session/customer.ts';
import { type Answer, call, type CallName, type Input } from './call.ts';
import type { ApiProblem } from './problem.ts';

export interface UseCallOptions {
  /** Asks again so often while the page is looked at. */
  everyMs?: number;
  isEnabled?: boolean;
  /** Shows the page before while the next one is on its way. */
  keepsPrevious?: boolean;
}

/** What a list or a figure on a page is asked with, often enough to be called live. */
export const LIVE_MS = 3_000;
/** For figures that move slowly. */
export const CALM_MS = 15_000;

/** The answer of a call that reads; the same question is asked once for all who show it. */
export function useCall<N extends CallName>(
  name: N,
  input: Input<N>,
  options: UseCallOptions = {},
): UseQueryResult<Answer<N>, ApiProblem> {
  const customerId = useCustomerId();
  const { everyMs, isEnabled = true, keepsPrevious = false } = options;
  return useQuery<Answer<N>, ApiProblem>({
    queryKey: callKey(name, customerId, input),
    queryFn: ({ signal }) => call(name, input, { customerId, signal }),
    enabled: isEnabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  } as Parameters<typeof useQuery<Answer<N>, ApiProblem>>[0]);
}

export function callKey(
  name: CallName,
  customerId: string | null,
  input: object,
): readonly unknown[] {
  return [name, customerId, input];
}
