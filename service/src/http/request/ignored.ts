import type { Parameter } from '../../endpoints/endpoint.ts';
import type { QueryPair } from './query-string.ts';

const NAMES_MAX = 10;
const NAME_LENGTH_MAX = 40;

/**
 * Names of parameters the endpoint does not have, for `X-Ignored-Parameters`; null when there are
 * none. Anything but plain name characters becomes `?`, and a name that looks like a key is left
 * out: keys do end up in the wrong place.
 */
export function ignoredNames(
  table: readonly Parameter[],
  query: readonly QueryPair[],
): string | null {
  const known = new Set(['apikey', ...table.filter((p) => p.in === 'query').map((p) => p.name)]);
  const names = new Set<string>();
  for (const { name } of query) {
    if (known.has(name) || name === '' || /eds_/i.test(name)) continue;
    names.add(name.replaceAll(/[^A-Za-z0-9_.[\]-]/g, '?').slice(0, NAME_LENGTH_MAX));
    if (names.size === NAMES_MAX) break;
  }
  return names.size === 0 ? null : [...names].join(', ');
}
