import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import { csvShapeOf } from '../response/csv.ts';
import { CURSOR_PATTERN, readCursor } from '../response/cursor.ts';

const LIMIT_MAX = 1_000;

/**
 * Returns the endpoint's own parameters and the parameters that all endpoints with the same kind of
 * response share.
 */
export function parametersOf(endpoint: Endpoint): readonly Parameter[] {
  return [
    ...endpoint.parameters,
    ...(returnsArray(endpoint) && !hasOwnLimit(endpoint) ? [LIMIT] : []),
    ...(returnsArray(endpoint) && endpoint.positionParameter === undefined ? [CURSOR] : []),
    ...(endpoint.mediaType === undefined ? [formatOf(endpoint)] : []),
  ];
}

/**
 * Returns true if the response is always an array, or an array when a range of days is requested.
 */
export function returnsArray({ response }: Endpoint): boolean {
  const variants = 'anyOf' in response ? (response.anyOf as { type?: string }[]) : [response];
  return variants.some((variant) => 'type' in variant && variant.type === 'array');
}

/**
 * Checks whether an endpoint defines its own limit parameter. Such an endpoint loads only the rows
 * that it returns.
 */
function hasOwnLimit({ parameters }: Endpoint): boolean {
  return parameters.some(({ name }) => name === 'limit');
}

const LIMIT: Parameter = {
  name: 'limit',
  in: 'query',
  kind: 'integer',
  required: false,
  min: 1,
  max: LIMIT_MAX,
  default: null,
  describe:
    'Maximum number of rows to return. Without it, all rows are returned. The `Link` header contains ' +
    'the next page, and `X-Total-Count` the number of rows in the list.',
};

const CURSOR: Parameter = {
  name: 'cursor',
  in: 'query',
  kind: 'id',
  required: false,
  pattern: CURSOR_PATTERN,
  isReadable: (text) => readCursor(text) !== null,
  example: 'a cursor from the Link header of the previous page',
  describe: 'Cursor of the page to return, from the `Link` header of the previous page.',
};

/** Returns the definition of the `format` parameter. Only lists can be rendered as CSV. */
function formatOf(endpoint: Endpoint): Parameter {
  return csvShapeOf(endpoint) === null ? JSON_ONLY : FORMAT;
}

const FORMAT: Parameter = {
  name: 'format',
  in: 'query',
  kind: 'enum',
  required: false,
  values: ['json', 'csv'],
  default: 'json',
  describe:
    'Format of the response. `csv` is equivalent to `Accept: text/csv`. Absent values are empty cells.',
};

const JSON_ONLY: Parameter = {
  ...FORMAT,
  values: ['json'],
  describe: 'Format of the response. Only JSON is available, because the response is not a list.',
};
