import { readWords } from '../format/search.ts';

/** What is looked for, as it stands in the address. */
export interface FactsSearch {
  dataset?: string;
  search?: string;
  symbol?: string;
  date?: string;
  before?: string;
}

export const FIRST_DATASET = 'earnings';

export function readFactsSearch(search: Record<string, unknown>): FactsSearch {
  return readWords(search, ['dataset', 'search', 'symbol', 'date', 'before']);
}

/** With some parts changed, from the first page on; a part without text is left out. */
export function changeSearch(
  { before: _page, ...rest }: FactsSearch,
  changed: Readonly<Record<string, string>>,
): FactsSearch {
  return readFactsSearch({ ...rest, ...changed });
}
