import { requireContact } from '../kit/contact.ts';
import { RowError } from '../kit/row-error.ts';
import type { FeedRequest, PlanContext, SourceResponse } from '../provider.ts';

/** EDGAR identifiers and URLs: filer numbers, accession numbers, hosts. */
export const WWW_HOST = 'www.sec.gov';
export const DATA_HOST = 'data.sec.gov';

/** Returns a filer's number as ten digits, from a number or text, or null if invalid. */
export function parseCik(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text) || Number(text) === 0) return null;
  return text.padStart(10, '0');
}

/** Like `parseCik`, but for a required field: throws `bad-cik` if invalid. */
export function requireCik(value: unknown): string {
  const cik = parseCik(value);
  if (cik === null) throw new RowError('bad-cik', `CIK is ${JSON.stringify(value) ?? 'absent'}`);
  return cik;
}

/** Returns the entity key for rows about a filer. */
export function cikSubject(cik: string): string {
  return `CIK${cik}`;
}

/** Returns `0000320193-26-000005`, from text with or without dashes, or null if invalid. */
export function parseAccession(value: unknown): string | null {
  const match = /^(\d{10})-?(\d{2})-?(\d{6})$/.exec(typeof value === 'string' ? value : '');
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}`;
}

/** Returns the URL of the page that lists a filing's documents and its acceptance time. */
export function filingIndexUrl(cik: string, accession: string): string {
  return `${filingFolderUrl(cik, accession)}/${accession}-index.html`;
}

/** Returns the URL of a filing's documents, without a slash at the end. */
export function filingFolderUrl(cik: string, accession: string): string {
  const folder = `${Number(cik)}/${accession.replaceAll('-', '')}`;
  return `https://${WWW_HOST}/Archives/edgar/data/${folder}`;
}

/** Returns true if the response came from this host and its path, without the query, matches. */
export function isResponseFrom(response: SourceResponse, host: string, path: RegExp): boolean {
  return response.host === host && path.test(pathname(response));
}

export function pathname(response: SourceResponse): string {
  return response.path.split('?')[0] ?? '';
}

/**
 * Returns a request that identifies the operator, as EDGAR's access rules require. Throws if the
 * contact has no e-mail address, so that no request is ever sent without one.
 */
export function edgarRequest(url: string, context: Pick<PlanContext, 'setting'>): FeedRequest {
  return { url, headers: { 'User-Agent': requireContact(context), 'Accept-Encoding': 'gzip' } };
}

/** Returns the known filers without duplicates, in ascending order. */
export function knownCiks(context: PlanContext): string[] {
  return [...new Set(context.ciks.values())].toSorted();
}
