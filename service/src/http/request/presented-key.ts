import { problem } from '../problems.ts';
import type { Problem } from '../problems.ts';
import type { ReadRequest } from '../answer/answer.ts';
import type { QueryPair } from './query-string.ts';

/**
 * The key a request brings: `?apikey=`, `Authorization: Bearer` or `X-Api-Key`. The same key in
 * two places is one key; two keys are a mistake that must not be settled by guessing.
 */
export function presentedKey(
  headers: ReadRequest['headers'],
  query: readonly QueryPair[],
): { text: string } | { refusal: Problem } {
  const inQuery = query.filter((pair) => pair.name === 'apikey');
  if (inQuery.length > 1) return { refusal: twice() };
  const fromQuery = inQuery[0] === undefined ? '' : (inQuery[0].value ?? '%');
  const bearer = bearerToken(single(headers.authorization));
  const found = new Set([fromQuery, single(headers['x-api-key']), bearer]);
  found.delete('');
  const [text] = found;
  if (text === undefined) return { refusal: missing() };
  return found.size === 1 ? { text } : { refusal: twice() };
}

function bearerToken(authorization: string): string {
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : '';
}

function single(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.join(', ') : (header ?? '')).trim();
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
