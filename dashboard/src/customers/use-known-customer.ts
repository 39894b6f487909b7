import { CALM_MS, useCall } from '../api/use-call.ts';

/** Those of the first page are known at once; where there are more, others are asked for one by one. */
const KNOWN = { query: { limit: 100 } } as const;

export interface KnownCustomer {
  /** Its id while the name is asked for, and when it was deleted. */
  name: string;
  /** False when it was deleted. */
  isThere: boolean;
  isSuspended: boolean;
}

/** What is to be said of a customer of whom only the id is known. */
export function useKnownCustomer(customerId: string): KnownCustomer {
  const listed = useCall('customers-list', KNOWN, { everyMs: CALM_MS });
  const found = listed.data?.customers.find(({ id }) => id === customerId);
  const isUnlisted = listed.data !== undefined && found === undefined && customerId !== '';
  const isWhole = listed.data?.next === null;
  const read = useCall(
    'customers-read',
    { path: { customerId } },
    { isEnabled: isUnlisted && !isWhole },
  );
  const customer = found ?? read.data;
  return {
    name: customer?.name ?? customerId,
    isThere: isWhole ? !isUnlisted : read.error?.code !== 'not-found',
    isSuspended: customer?.state === 'suspended',
  };
}
