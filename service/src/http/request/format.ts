import type { Values } from '../../endpoints/endpoint.ts';
import { csvShapeOf } from '../response/csv.ts';
import { type Accept, qualityOf } from './accept.ts';
import type { RequestTarget } from './request-target.ts';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';

/** Returns true if the Accept header prefers CSV and the URL does not specify a format. */
export function prefersCsv({ endpoint, query }: RequestTarget, accept: Accept): boolean {
  if (accept === null || qualityOf(accept, CSV_TYPE) <= qualityOf(accept, JSON_TYPE)) return false;
  return csvShapeOf(endpoint) !== null && !query.some(({ name }) => name === 'format');
}

/** Returns the same URL, but with CSV as an explicit format. */
export function withCsvFormat({ urlWithoutKey: rest }: RequestTarget): string {
  return `${rest}${rest.includes('?') ? '&' : '?'}format=csv`;
}

/**
 * Returns true if the Accept header allows the response format. An explicit format in the URL takes
 * precedence over the header.
 */
export function isAcceptable(
  { endpoint, query }: RequestTarget,
  values: Values,
  accept: Accept,
): boolean {
  if (accept === null || query.some(({ name }) => name === 'format')) return true;
  if (csvShapeOf(endpoint) !== null && values.choice('format') === 'csv') return true;
  return qualityOf(accept, endpoint.mediaType ?? JSON_TYPE) > 0;
}
