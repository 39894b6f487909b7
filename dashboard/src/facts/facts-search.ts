import { readTextParams } from '../format/search.ts';

/** The data explorer filters, as stored in the URL. */
export interface FactsSearch {
  dataset?: string;
  search?: string;
  symbol?: string;
  date?: string;
  before?: string;
}

export const FIRST_DATASET = 'earnings';

export function readFactsSearch(search: Record<string, unknown>): FactsSearch {
  return readTextParams(search, ['dataset', 'search', 'symbol', 'date', 'before']);
}

/** Applies changes and returns to the first page. Empty values are removed. */
export function changeSearch(
  { before: _page, ...rest }: FactsSearch,
  changed: Readonly<Record<string, string>>,
): FactsSearch {
  return readFactsSearch({ ...rest, ...changed });
}
