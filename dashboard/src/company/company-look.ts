import { type RangeName, RANGES } from './price-range.ts';

/** What the address says of a company's page. */
export interface CompanySearch {
  range?: RangeName | undefined;
  /** Id of the report whose revisions are shown. */
  report?: string | undefined;
}

export function readCompanySearch(search: Record<string, unknown>): CompanySearch {
  const { report } = search;
  return {
    range: RANGES.find(({ value }) => value === search['range'])?.value,
    report: typeof report === 'string' && report !== '' ? report : undefined,
  };
}
