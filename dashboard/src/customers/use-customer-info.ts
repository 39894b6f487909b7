import { CALM_MS, useCall } from '../api/use-call.ts';

/**
 * The first page of customers is shared by all lookups and covers most of them. Other customers are
 * fetched individually.
 */
const FIRST_PAGE = { query: { limit: 100 } } as const;

export interface CustomerInfo {
  /** The customer's name, or the ID while loading and for a deleted customer. */
  name: string;
  /** False for a deleted customer. */
  exists: boolean;
  isSuspended: boolean;
}

/** Looks up a customer's name and status by ID. */
export function useCustomerInfo(customerId: string): CustomerInfo {
  const listed = useCall('customers-list', FIRST_PAGE, { everyMs: CALM_MS });
  const listedCustomer = listed.data?.customers.find(({ id }) => id === customerId);
  const isUnlisted = listed.data !== undefined && listedCustomer === undefined && customerId !== '';
  const isWhole = listed.data?.next === null;
  const single = useCall(
    'customers-read',
    { path: { customerId } },
    { isEnabled: isUnlisted && !isWhole },
  );
  const customer = listedCustomer ?? single.data;
  return {
    name: customer?.name ?? customerId,
    exists: isWhole ? !isUnlisted : single.error?.code !== 'not-found',
    isSuspended: customer?.state === 'suspended',
  };
}
