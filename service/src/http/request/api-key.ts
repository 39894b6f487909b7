import { problem, type Problem } from '../problems.ts';
import type { ReadRequest } from '../response/http-response.ts';
import type { QueryPair } from './query-string.ts';

/**
 * The key a request brings: `?apikey=`, `Authorization: Bearer` or `X-Api-Key`. The same key in
 * two places is one key; two keys are a mistake that must not be settled by guessing.
 */
export function readApiKey(
  headers: ReadRequest['headers'],
  query: readonly QueryPair[],
): { text: string } | { refusal: Problem } {
  const inQuery = query.filter((pair) => pair.name === 'apikey');
  if (inQuery.length > 1) return { refusal: twice() };
  const fromQuery = inQuery[0] === undefined ? '' : (inQuery[0].value ?? '%');
  const bearers = all(headers.authorization).map(bearerToken);
  // Two headers of one name come joined by a comma, which is in no key.
  const own = all(headers['x-api-key']).flatMap((value) => value.split(','));
  const found = new Set([fromQuery, ...bearers, ...own.map((value) => value.trim())]);
  found.delete('');
  const [text] = found;
  if (text === undefined) return { refusal: missing() };
  return found.size === 1 ? { text } : { refusal: twice() };
}

/**
 * Whether a header brings a key. `Authorization` of another scheme is a proxy's in front, whose password
 * browsers repeat with every request.
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

function missing(): Problem {
  return problem(
    'missing-api-key',
    'Send your key as ?apikey=, X-Api-Key or Authorization: Bearer.',
  );
}

function twice(): Problem {
  return problem('invalid-parameter', 'The request brings more than one API key.', {
    members: { parameter: 'apikey' },
  });
}
