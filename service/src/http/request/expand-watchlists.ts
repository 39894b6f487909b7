import { createHash } from 'node:crypto';
import { loadWatchlistSymbols } from '../../accounts/watchlists/watchlist-store.ts';
import { parseWatchlistReference } from '../../domain/watchlist-name.ts';
import type { Endpoint, Values } from '../../endpoints/endpoint.ts';
import type { Queryable } from '../../storage/db.ts';
import { problem, type Problem } from '../problems.ts';
import type { ResolvedQuery } from '../response/resolved-query.ts';

/** Returns the names of the watchlists that the query refers to. */
export function watchlistNames({ endpoint, values, location }: ResolvedQuery): string[] {
  // Nearly every request ends here. The canonical URL contains the encoded `@` of each reference.
  if (!location.includes('%40')) return [];
  const references = symbolLists(endpoint).flatMap(({ name }) => values.symbols(name) ?? []);
  return [...new Set(references)].flatMap((text) => parseWatchlistReference(text) ?? []);
}

/**
 * Replaces references to watchlists, such as `@tech`, by the companies on the customer's lists.
 * Reads the lists at every request, so a changed list applies to the next request.
 */
export async function expandWatchlists(
  db: Queryable,
  query: ResolvedQuery,
  customerId: string,
): Promise<ResolvedQuery | { refusal: Problem }> {
  const { endpoint, values } = query;
  const names = watchlistNames(query);
  if (names.length === 0) return query;
  const lists = await loadWatchlistSymbols(db, customerId, names);
  const unknown = names.find((name) => !lists.has(name));
  if (unknown !== undefined) return { refusal: unknownWatchlist(unknown) };
  const expanded = new Map<string, readonly string[]>();
  for (const { name, max } of symbolLists(endpoint)) {
    const references = values.symbols(name);
    if (references === null) continue;
    const symbols = expand(references, lists);
    if (symbols.length > max) return { refusal: tooManyCompanies(name, symbols.length, max) };
    expanded.set(name, symbols);
  }
  const digest = createHash('sha256')
    .update(JSON.stringify([...expanded]))
    .digest('base64url');
  return {
    ...query,
    values: withSymbols(values, expanded),
    watchlistScope: `${customerId} ${digest}`,
  };
}

/** Returns the problem for a watchlist that the customer does not have. */
export function unknownWatchlist(name: string): Problem {
  return problem('unknown-watchlist', `You have no watchlist named ${name}.`, {
    members: { parameter: 'symbols', watchlist: name },
  });
}

function tooManyCompanies(parameter: string, count: number, max: number): Problem {
  const detail =
    `The parameter ${parameter} names ${count} companies with those of its watchlists. ` +
    `The maximum is ${max}.`;
  return problem('invalid-parameter', detail, { members: { parameter } });
}

function symbolLists({ parameters }: Endpoint) {
  return parameters.filter((parameter) => parameter.kind === 'symbols');
}

function expand(
  references: readonly string[],
  lists: ReadonlyMap<string, readonly string[]>,
): string[] {
  const symbols = references.flatMap((text) => {
    const name = parseWatchlistReference(text);
    return name === null ? [text] : (lists.get(name) ?? []);
  });
  return [...new Set(symbols)].sort();
}

function withSymbols(values: Values, expanded: ReadonlyMap<string, readonly string[]>): Values {
  return { ...values, symbols: (name) => expanded.get(name) ?? values.symbols(name) };
}
