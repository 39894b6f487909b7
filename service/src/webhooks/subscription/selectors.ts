import { invalid, type Invalid } from '../../accounts/deps.ts';
import { loadWatchlistIds } from '../../accounts/watchlists/watchlist-store.ts';
import { loadSectorNames } from '../../datasets/profiles/store.ts';
import { loadExchangeNames } from '../../datasets/securities/store.ts';
import { parseWatchlistReference } from '../../domain/watchlist-name.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * A selector names a set of companies in place of a symbol: `*` for all companies, `exchange:nyse`,
 * `sector:consumer-services`, or `@name` for a watchlist. It is stored in the same form, except that
 * a watchlist is stored by its id.
 */
export const ALL_COMPANIES = '*';

/** Result for a watchlist that the customer does not have. */
export interface UnknownWatchlist {
  kind: 'unknown-watchlist';
  name: string;
}

/** Separates the selectors in a list of symbols from the symbols. */
export function splitSelectors(input: string | readonly string[]): {
  /** In canonical form, without duplicates, sorted. */
  selectors: string[];
  symbols: string[];
} {
  const words = typeof input === 'string' ? input.split(/[\s,;|]+/) : input;
  const selectors = new Set<string>();
  const symbols: string[] = [];
  for (const word of words) {
    const selector = parseSelector(word);
    if (selector === null) symbols.push(word);
    else selectors.add(selector);
  }
  return { selectors: [...selectors].sort(), symbols };
}

/** Returns the selector in canonical form, or null if the text is no selector. */
function parseSelector(text: string): string | null {
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

/** Returns true for a stored selector whose companies are not listed by name. */
export function isOpenEnded(selector: string): boolean {
  return !selector.startsWith('@');
}

/**
 * Returns the stored form of each selector. With `isNew`, refuses an exchange or a sector that no
 * company has.
 */
export async function resolveSelectors(
  db: Queryable,
  customerId: string,
  { selectors, isNew }: { selectors: readonly string[]; isNew: boolean },
): Promise<string[] | Invalid | UnknownWatchlist> {
  const names = selectors.flatMap((selector) => parseWatchlistReference(selector) ?? []);
  const ids = await loadWatchlistIds(db, customerId, names);
  const stored: string[] = [];
  for (const selector of selectors) {
    const name = parseWatchlistReference(selector);
    const id = name === null ? undefined : ids.get(name);
    if (name !== null && id === undefined) return { kind: 'unknown-watchlist', name };
    const fault = isNew ? await unknownSet(db, selector) : null;
    if (fault !== null) return fault;
    stored.push(id === undefined ? selector : `@${id}`);
  }
  return stored;
}

async function unknownSet(db: Queryable, selector: string): Promise<Invalid | null> {
  const [kind = '', slug = ''] = selector.split(':');
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
