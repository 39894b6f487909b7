import { CALM_MS, useCall } from '../api/use-call.ts';

/** One shared page serves most lookups; customers beyond it are fetched individually. */
const KNOWN = { query: { limit: 100 } } as const;

export interface KnownCustomer {
  /** The ID while loading, and for a deleted customer. */
  name: string;
  /** False for a deleted customer. */
  isThere: boolean;
  isSuspended: boolean;
}

/** Looks up the name and status of a customer by ID. */
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
