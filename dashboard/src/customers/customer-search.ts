import { readWords } from '../format/search.ts';

/** What of the customers is looked at, as it stands in the address. */
export interface CustomerSearch {
  /** A part of the name. */
  search?: string;
  /** The page behind this name. */
  after?: string;
}

export function readCustomerSearch(search: Record<string, unknown>): CustomerSearch {
  return readWords(search, ['search', 'after']);
}
