import { type DeliverySearch, readDeliverySearch } from '../deliveries/delivery-search.ts';

/** What the log of the whole service is asked, as it stands in the address. */
export interface SystemDeliverySearch extends DeliverySearch {
  /** Those of this customer alone. */
  customer?: string;
}

export function readSystemDeliverySearch(search: Record<string, unknown>): SystemDeliverySearch {
  const { customer } = search;
  const read = readDeliverySearch(search);
  const isCustomer = typeof customer === 'string' && customer !== '' && customer.length <= 100;
  return { ...read, ...(isCustomer ? { customer } : {}) };
}
