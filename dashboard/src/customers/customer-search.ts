import { readTextParams } from '../format/search.ts';

/** The customer list filters, as stored in the URL. */
export interface CustomerSearch {
  /** Part of the name. */
  search?: string;
  /** The page after this name. */
  after?: string;
}

export function readCustomerSearch(search: Record<string, unknown>): CustomerSearch {
  return readTextParams(search, ['search', 'after']);
}
