import { parseLocalDate } from '../../../domain/local-date.ts';
import type { DatedFiling } from '../../filing-follower.ts';
import { isJsonObject } from '../../kit/json.ts';
import type { SourceResponse } from '../../provider.ts';
import { parseAccession, parseCik } from '../edgar.ts';
import { zipFilings } from './filing-columns.ts';
import { isForeignReport } from './results-filing.ts';

/**
 * Returns the 6-Ks in a filer's page, newest first. A 6-K has no items, so any of them may state
 * results. Other pages, and filings that cannot be read, have none.
 */
export function readForeignReports(response: SourceResponse): DatedFiling[] {
  const body = response.json();
  if (!isJsonObject(body) || !isJsonObject(body['filings'])) return [];
  const cik = parseCik(body['cik']);
  const { recent } = body['filings'];
  const table = isJsonObject(recent) ? zipFilings(recent) : [];
  if (cik === null || !Array.isArray(table)) return [];
  const reports = table.flatMap(({ form, accessionNumber, filingDate }): DatedFiling[] => {
    const accession = parseAccession(accessionNumber);
    const date = typeof filingDate === 'string' ? parseLocalDate(filingDate) : null;
    if (!isForeignReport(form) || accession === null || date === null) return [];
    return [
      { accession, cik, form: String(form), items: null, acceptedAt: null, filingDate: date },
    ];
  });
  return reports.toSorted((a, b) => (a.filingDate < b.filingDate ? 1 : -1));
}
