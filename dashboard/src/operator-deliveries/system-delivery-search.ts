import { type DeliverySearch, readDeliverySearch } from '../deliveries/delivery-search.ts';

/** The filters of the service-wide delivery log, as stored in the URL. */
export interface SystemDeliverySearch extends DeliverySearch {
  /** Only deliveries for this customer. */
  customer?: string;
}

export function readSystemDeliverySearch(search: Record<string, unknown>): SystemDeliverySearch {
  const { customer } = search;
  const filters = readDeliverySearch(search);
  const isCustomer = typeof customer === 'string' && customer !== '' && customer.length <= 100;
  return { ...filters, ...(isCustomer ? { customer } : {}) };
}
