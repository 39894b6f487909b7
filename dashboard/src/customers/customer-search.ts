import { readTextParams } from '../format/search.ts';

/** The filters of the customer list, as stored in the URL. */
export interface CustomerSearch {
  /** Part of the customer's name. */
  search?: string;
  /** The last name on the previous page. */
  after?: string;
}

export function readCustomerSearch(search: Record<string, unknown>): CustomerSearch {
  return readTextParams(search, ['search', 'after']);
}
