import type { PeriodicReport } from '../../../datasets/earnings/observation.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import { compareBy } from '../../../platform/compare.ts';
import type { JsonObject } from '../../kit/json.ts';
import type { ParseResult } from '../../provider.ts';
import { cikSubject, parseAccession } from '../edgar.ts';
import { isPeriodicForm } from '../xbrl/facts.ts';
import { parseAcceptance } from './acceptance-text.ts';

/**
 * Returns one row with the acceptance times of all periodic reports in a table of filings, or none
 * without such reports. A report with an unreadable time is skipped: its figures count as public
 * from the end of their filing day. `page` tells pages of one filer apart.
 */
export function readPeriodicReports(
  filings: readonly JsonObject[],
  cik: string,
  page: string,
): ParseResult {
  const reports = filings
    .filter(({ form }) => typeof form === 'string' && isPeriodicForm(form))
    .flatMap(readReport)
    .toSorted(compareBy(({ accession }) => accession));
  if (reports.length === 0) return { rows: [], bad: [] };
  const fields = { kind: 'acceptances' as const, cik, reports };
  const entityKey = cikSubject(cik);
  const naturalKey = `acceptances:${page}`;
  return { rows: [{ dataset: 'earnings', entityKey, naturalKey, fields }], bad: [] };
}

function readReport({
  accessionNumber,
  filingDate,
  acceptanceDateTime,
}: JsonObject): PeriodicReport[] {
  const accession = parseAccession(accessionNumber);
  const date = typeof filingDate === 'string' ? parseLocalDate(filingDate) : null;
  const acceptance =
    typeof acceptanceDateTime === 'string' ? parseAcceptance(acceptanceDateTime) : null;
  if (accession === null || date === null || acceptance === null) return [];
  return [{ accession, filingDate: date, acceptance }];
}
