import { notifications } from '@mantine/notifications';
import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useCustomerId } from '../session/customer.ts';
import { promptForPassword } from '../session/password-prompt.ts';
import { type ResponseData, call, type CallName, type Input } from './call.ts';
import { ApiProblem, errorMessage } from './problem.ts';

export interface UseActionOptions<N extends CallName> {
  /** The calls whose cached responses are invalidated on success. */
  refreshes?: readonly CallName[];
  /** The notification to show on success. */
  successMessage?: string;
  onDone?: (data: ResponseData<N>) => void;
  /** Suppresses the error notification, for forms that show the error themselves. */
  isQuiet?: boolean;
}

/**
 * Returns a mutation for a call. If the service asks for the password again, prompts for it and
 * repeats the call. If the user cancels the prompt, nothing changes.
 */
export function useAction<N extends CallName>(
  name: N,
  options: UseActionOptions<N> = {},
): UseMutationResult<ResponseData<N>, Error, Input<N>> {
  const customerId = useCustomerId();
  const client = useQueryClient();
  return useMutation<ResponseData<N>, Error, Input<N>>({
    mutationFn: (input) => callWithPassword(name, input, customerId),
    async onSuccess(data) {
      if (options.successMessage !== undefined)
        notifications.show({ message: options.successMessage });
      options.onDone?.(data);
      const stale = new Set<unknown>(options.refreshes ?? []);
      await client.invalidateQueries({ predicate: ({ queryKey }) => stale.has(queryKey[0]) });
    },
    onError(error) {
      if (options.isQuiet === true) return;
      notifications.show({ color: 'red', title: 'Action failed', message: errorMessage(error) });
    },
  });
}

async function callWithPassword<N extends CallName>(
  name: N,
  input: Input<N>,
  customerId: string | null,
): Promise<ResponseData<N>> {
  try {
    return await call(name, input, { customerId });
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'fresh-password-required') throw error;
    if (!(await promptForPassword())) throw error;
    return call(name, input, { customerId });
  }
}
