import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import { csvShapeOf } from '../response/csv.ts';
import { CURSOR_PATTERN, readCursor } from '../response/cursor.ts';

const LIMIT_MAX = 1_000;

/** What an endpoint takes: its own table, and what all answers of its form take besides. */
export function parametersOf(endpoint: Endpoint): readonly Parameter[] {
  const own = endpoint.parameters;
  return [
    ...own,
    ...(returnsArray(endpoint) && !hasOwnLimit(endpoint) ? [LIMIT] : []),
    ...(returnsArray(endpoint) && endpoint.placeParameter === undefined ? [CURSOR] : []),
    ...(endpoint.mediaType === undefined ? [formatOf(endpoint)] : []),
  ];
}

/** Whether the answer is one array, or one array for a range of days. */
export function returnsArray({ response }: Endpoint): boolean {
  const forms = 'anyOf' in response ? (response.anyOf as { type?: string }[]) : [response];
  return forms.some((form) => 'type' in form && form.type === 'array');
}

/** It has a limit of its own, because it need not load what it does not show. */
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
    'How many rows of the array at most; left out, all of them. The header `Link` names the next ' +
    'page, `X-Total-Count` tells how many there are in all.',
};

const CURSOR: Parameter = {
  name: 'cursor',
  in: 'query',
  kind: 'id',
  required: false,
  pattern: CURSOR_PATTERN,
  isReadable: (text) => readCursor(text) !== null,
  example: 'a cursor that the header Link of a page before named',
  describe: 'Where a page begins, as the header `Link` of the page before names it.',
};

/** An answer that is no list has one form. */
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
  describe: '`csv` for a table, as `Accept: text/csv` does. Absent values are empty cells.',
};

const JSON_ONLY: Parameter = {
  ...FORMAT,
  values: ['json'],
  describe: 'The answer is no list: JSON is its one form.',
};
