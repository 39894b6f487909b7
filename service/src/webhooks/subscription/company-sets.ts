import { invalid, type Invalid } from '../../accounts/deps.ts';
import { loadWatchlistIds } from '../../accounts/watchlists/watchlist-store.ts';
import { loadSectorNames } from '../../datasets/profiles/store.ts';
import { loadExchangeNames } from '../../datasets/securities/store.ts';
import { parseWatchlistReference } from '../../domain/watchlist-name.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * A company set stands in place of a symbol: `*` for all companies, `exchange:nyse`,
 * `sector:consumer-services`, or `@name` for a watchlist. It is stored as the
 * same text, except that a watchlist is stored by its id.
 */
export const ALL_COMPANIES = '*';

/** Result for a watchlist that the customer does not have. */
export interface UnknownWatchlist {
  kind: 'unknown-watchlist';
  name: string;
}

/** Separates the company sets in a list from the symbols. */
export function splitSets(input: string | readonly string[]): {
  /** In canonical form, without duplicates, sorted. */
  sets: string[];
  symbols: string[];
} {
  const words = typeof input === 'string' ? input.split(/[\s,;|]+/) : input;
  const sets = new Set<string>();
  const symbols: string[] = [];
  for (const word of words) {
    const companySet = parseSet(word);
    if (companySet === null) symbols.push(word);
    else sets.add(companySet);
  }
  return { sets: [...sets].sort(), symbols };
}

/** Returns a company set in canonical form, or null for other text. */
function parseSet(text: string): string | null {
  const word = text.trim();
  if (word === ALL_COMPANIES) return word;
  const watchlist = parseWatchlistReference(word);
  if (watchlist !== null) return `@${watchlist}`;
  const [, kind, name] = /^(exchange|sector):(.+)$/i.exec(word) ?? [];
  if (kind === undefined || name === undefined) return null;
  const slug = slugOf(name);
  return slug === '' ? null : `${kind.toLowerCase()}:${slug}`;
}

/** Returns a name in lower case, with a hyphen for every other run of characters. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-');
}

/** Returns true for a stored set whose companies are not listed by name. */
export function isOpenEnded(companySet: string): boolean {
  return !companySet.startsWith('@');
}

/**
 * Returns the stored form of each set. With `isNew`, refuses an exchange or a sector that no
 * company has.
 */
export async function resolveSets(
  db: Queryable,
  customerId: string,
  { sets, isNew }: { sets: readonly string[]; isNew: boolean },
): Promise<string[] | Invalid | UnknownWatchlist> {
  const names = sets.flatMap((companySet) => parseWatchlistReference(companySet) ?? []);
  const ids = await loadWatchlistIds(db, customerId, names);
  const stored: string[] = [];
  for (const companySet of sets) {
    const name = parseWatchlistReference(companySet);
    const id = name === null ? undefined : ids.get(name);
    if (name !== null && id === undefined) return { kind: 'unknown-watchlist', name };
    const fault = isNew ? await unknownSet(db, companySet) : null;
    if (fault !== null) return fault;
    stored.push(id === undefined ? companySet : `@${id}`);
  }
  return stored;
}

async function unknownSet(db: Queryable, companySet: string): Promise<Invalid | null> {
  const [kind = '', slug = ''] = companySet.split(':');
  if (kind !== 'exchange' && kind !== 'sector') return null;
  const names = await (kind === 'exchange' ? loadExchangeNames(db) : loadSectorNames(db));
  const slugs = [...new Set(names.map(slugOf))].sort();
  if (slugs.includes(slug)) return null;
  const known = slugs.map((each) => `${kind}:${each}`).join(', ');
  return invalid(
    'symbols',
    known === '' ? `no company has a known ${kind}` : `use one of ${known}`,
  );
}
