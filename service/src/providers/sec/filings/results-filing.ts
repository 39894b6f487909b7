import type { FilingObservation } from '../../../datasets/earnings/observation.ts';
import { type LocalDate, parseLocalDate } from '../../../domain/local-date.ts';
import type { AcceptanceReading } from '../../../domain/settle-filings.ts';
import { readWith, required } from '../../kit/fields.ts';
import type { JsonObject } from '../../kit/json.ts';
import { readRows } from '../../kit/read-rows.ts';
import { RowError } from '../../kit/row-error.ts';
import type { ParseResult } from '../../provider.ts';
import { cikSubject, filingIndexUrl, parseAccession } from '../edgar.ts';
import { parseAcceptance } from './acceptance-text.ts';

/** Before this date, the item "results of operations" had the number 12. */
const RENUMBERED_ON = '2004-08-23';

const ITEM = /^\d{1,2}(\.\d{2})?$/;

/** Returns the 8-Ks that furnish results, as rows of `earnings` keyed by accession number. */
export function readResultsFilings(filings: readonly JsonObject[], cik: string): ParseResult {
  const rows = filings.filter(({ form, items, filingDate }) =>
    isResultsFiling(form, splitItems(items), filingDate),
  );
  const subject = cikSubject(cik);
  return readRows({
    dataset: 'earnings',
    rows,
    entityKeyOf: () => subject,
    read: (row) => {
      const fields = readFiling(row, cik);
      return { dataset: 'earnings', entityKey: subject, naturalKey: fields.accession, fields };
    },
  });
}

/** Returns true for an 8-K or 8-K/A with item 2.02, or with item 12 from before the renumbering. */
export function isResultsFiling(
  form: unknown,
  items: readonly string[],
  filingDate: unknown,
): boolean {
  if (!isCurrentReport(form)) return false;
  if (items.includes('2.02')) return true;
  return items.includes('12') && typeof filingDate === 'string' && filingDate < RENUMBERED_ON;
}

export function isCurrentReport(form: unknown): boolean {
  return form === '8-K' || form === '8-K/A';
}

/** Returns true for the report of a foreign company, which may hold any news. */
export function isForeignReport(form: unknown): boolean {
  return form === '6-K' || form === '6-K/A';
}

/** Returns the valid item numbers and skips other text. */
function splitItems(items: unknown): string[] {
  if (typeof items !== 'string') return [];
  return items
    .split(',')
    .map((item) => item.trim())
    .filter((item) => ITEM.test(item));
}

function readFiling(row: JsonObject, cik: string): FilingObservation {
  const size = row['size'];
  const accession = required(readWith(row, 'accessionNumber', accessionOf), 'accessionNumber');
  return {
    kind: 'filing',
    cik,
    accession,
    form: required(readWith(row, 'form', String), 'form'),
    items: splitItems(readWith(row, 'items', String)),
    filingDate: required(readWith(row, 'filingDate', dateOf), 'filingDate'),
    reportDate: readWith(row, 'reportDate', (text) => (text.trim() === '' ? null : dateOf(text))),
    acceptance: required(readWith(row, 'acceptanceDateTime', timeOf), 'acceptanceDateTime'),
    ...(isByteCount(size) && { size }),
    sourceUrl: filingIndexUrl(cik, accession),
  };
}

/** Returns false for the size of a paper filing, which is 0. */
export function isByteCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function accessionOf(text: string): string {
  return parseAccession(text) ?? reject('bad-accession', text);
}

function dateOf(text: string): LocalDate {
  return parseLocalDate(text) ?? reject('bad-date', text);
}

function timeOf(text: string): AcceptanceReading {
  return parseAcceptance(text) ?? reject('bad-time', text);
}

function reject(reason: string, text: string): never {
  throw new RowError(reason, JSON.stringify(text));
}
