import type { FilingObservation } from '../../../datasets/earnings/observation.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import type { BadRow, Parsed, ParsedRow } from '../../provider.ts';
import { textOf } from '../answer-body.ts';
import { cikSubject, filingIndexUrl, parseAccession } from '../edgar.ts';
import { parseAcceptance } from './acceptance-text.ts';
import type { RawFiling } from './filing-columns.ts';

/** Until this day the item "results of operations" had the number 12. */
const RENUMBERED_ON = '2004-08-23';

/** The 8-Ks that furnish results, each a row of the data set `earnings` keyed by accession. */
export function readResultsFilings(filings: readonly RawFiling[], cik: string): Parsed {
  const parsed: Parsed = { rows: [], bad: [] };
  const seen = new Set<string>();
  for (const filing of filings) {
    if (!isResultsFiling(filing.form, splitItems(filing.items), filing.filingDate)) continue;
    const row = readResultsFiling(filing, cik);
    if ('reason' in row) parsed.bad.push(row);
    else if (!seen.has(row.naturalKey)) parsed.rows.push(row);
    if ('naturalKey' in row) seen.add(row.naturalKey);
  }
  return parsed;
}

/** An 8-K or 8-K/A with item 2.02, or with item 12 from before the items were renumbered. */
export function isResultsFiling(
  form: unknown,
  items: readonly string[],
  filingDate: unknown,
): boolean {
  if (form !== '8-K' && form !== '8-K/A') return false;
  if (items.includes('2.02')) return true;
  return items.includes('12') && String(filingDate) < RENUMBERED_ON;
}

export function splitItems(items: unknown): string[] {
  if (typeof items !== 'string') return [];
  return items
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function readResultsFiling(filing: RawFiling, cik: string): ParsedRow | BadRow {
  const accession = parseAccession(filing.accessionNumber);
  if (accession === null) return reject(filing, cik, 'bad-accession', filing.accessionNumber);
  const filingDate = parseLocalDate(textOf(filing.filingDate) ?? '');
  if (filingDate === null) return reject(filing, cik, 'bad-date', filing.filingDate);
  const reportText = textOf(filing.reportDate);
  const reportDate = reportText === null ? null : parseLocalDate(reportText);
  if (reportText !== null && reportDate === null) {
    return reject(filing, cik, 'bad-date', filing.reportDate);
  }
  const acceptance = parseAcceptance(textOf(filing.acceptanceDateTime) ?? '');
  if (acceptance === null) return reject(filing, cik, 'bad-time', filing.acceptanceDateTime);
  const fields: FilingObservation = {
    kind: 'filing',
    cik,
    accession,
    form: String(filing.form),
    items: splitItems(filing.items),
    filingDate,
    reportDate,
    acceptance,
    sourceUrl: filingIndexUrl(cik, accession),
  };
  return { dataset: 'earnings', subject: cikSubject(cik), naturalKey: accession, fields };
}

function reject(filing: RawFiling, cik: string, reason: string, value: unknown): BadRow {
  const detail = `filing ${String(filing.accessionNumber)}: ${String(value)}`;
  return { dataset: 'earnings', subject: cikSubject(cik), reason, detail, row: filing };
}
