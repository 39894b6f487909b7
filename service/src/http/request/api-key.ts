import { problem, type Problem } from '../problems.ts';
import type { ReadRequest } from '../response/http-response.ts';
import type { QueryPair } from './query-string.ts';

/**
 * Returns the API key from `?apikey=`, `Authorization: Bearer` or `X-Api-Key`. The same key in two
 * places is accepted. Two different keys are rejected, because it is unclear which one applies.
 */
export function readApiKey(
  headers: ReadRequest['headers'],
  query: readonly QueryPair[],
): { text: string } | { refusal: Problem } {
  const inQuery = query.filter((pair) => pair.name === 'apikey');
  if (inQuery.length > 1) return { refusal: MULTIPLE_API_KEYS };
  const queryKey = inQuery[0] === undefined ? '' : (inQuery[0].value ?? '%');
  const bearers = all(headers.authorization).map(bearerToken);
  // Node.js joins repeated headers with commas, which never occur in a key.
  const apiKeys = all(headers['x-api-key']).flatMap((value) => value.split(','));
  const keys = new Set([queryKey, ...bearers, ...apiKeys.map((value) => value.trim())]);
  keys.delete('');
  const [text] = keys;
  if (text === undefined) return { refusal: MISSING_API_KEY };
  return keys.size === 1 ? { text } : { refusal: MULTIPLE_API_KEYS };
}

/**
 * Returns true if a header contains an API key. An `Authorization` header with a different scheme
 * is meant for a proxy, and browsers send it with every request.
 */
export function hasApiKeyHeader(headers: ReadRequest['headers']): boolean {
  if (headers['x-api-key'] !== undefined) return true;
  return all(headers.authorization).some((value) => /^\s*bearer(\s|$)/i.test(value));
}

function bearerToken(authorization: string): string {
  const text = authorization.trim();
  return text.slice(0, 7).toLowerCase() === 'bearer ' ? text.slice(7).trim() : '';
}

function all(header: string | string[] | undefined): readonly string[] {
  return header === undefined ? [] : [header].flat();
}

const MISSING_API_KEY = problem(
  'missing-api-key',
  'Send your API key as X-Api-Key, Authorization: Bearer or ?apikey=.',
);
const MULTIPLE_API_KEYS = problem(
  'invalid-parameter',
  'The request contains more than one API key.',
  { members: { parameter: 'apikey' } },
);
