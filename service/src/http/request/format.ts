import type { Values } from '../../endpoints/endpoint.ts';
import { csvShapeOf } from '../response/csv.ts';
import { type Accept, qualityOf } from './accept.ts';
import type { RequestTarget } from './request-target.ts';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';

/** Whether the header asks for a table where the address leaves the format open. */
export function prefersCsv({ endpoint, query }: RequestTarget, accept: Accept): boolean {
  if (accept === null || qualityOf(accept, CSV_TYPE) <= qualityOf(accept, JSON_TYPE)) return false;
  return csvShapeOf(endpoint) !== null && !query.some(({ name }) => name === 'format');
}

/** The same address with the format spelled out. */
export function withCsvFormat({ urlWithoutKey: rest }: RequestTarget): string {
  return `${rest}${rest.includes('?') ? '&' : '?'}format=csv`;
}

/** Whether the header takes the answer in the form it will have; a named format is a wish itself. */
export function isAcceptable(
  { endpoint, query }: RequestTarget,
  values: Values,
  accept: Accept,
): boolean {
  if (accept === null || query.some(({ name }) => name === 'format')) return true;
  if (csvShapeOf(endpoint) !== null && values.choice('format') === 'csv') return true;
  return qualityOf(accept, endpoint.mediaType ?? JSON_TYPE) > 0;
}
