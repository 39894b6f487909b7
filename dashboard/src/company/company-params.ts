import { type RangeName, RANGES } from './price-range.ts';

/** The state of a company page, as stored in the URL. */
export interface CompanySearch {
  range?: RangeName | undefined;
  /** The ID of the report whose revisions are shown. */
  report?: string | undefined;
}

export function readCompanySearch(search: Record<string, unknown>): CompanySearch {
  const { report } = search;
  return {
    range: RANGES.find(({ value }) => value === search['range'])?.value,
    report: typeof report === 'string' && report !== '' ? report : undefined,
  };
}
