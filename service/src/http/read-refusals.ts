import { problem } from './problems.ts';

/** Maximum number of responses computed at the same time for one customer. */
export const CONCURRENT_LOADS_MAX = 32;

export const UNKNOWN_PATH = problem(
  'not-found',
  'Unknown path. See /docs for the available endpoints.',
);
export const METHOD_NOT_ALLOWED = problem(
  'method-not-allowed',
  'This path supports GET, HEAD and OPTIONS.',
);
export const TOO_MANY_CONCURRENT_REQUESTS = problem(
  'temporary-reduced-capacity',
  `Too many concurrent requests. The limit is ${CONCURRENT_LOADS_MAX} per customer.`,
  { headers: ['Retry-After', '1'] },
);
export const INTERNAL_ERROR = problem(
  'internal-error',
  'The request failed because of an error on our side. Quote `instance` when you contact support.',
);
export const DATA_UNAVAILABLE = problem(
  'data-unavailable',
  'The data store is temporarily unavailable. Retry the request.',
);
