import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type { SecurityObservation } from './observation.ts';

/** A symbol held by one company, with the times at which it appeared in lists of filers. */
export interface Listing {
  symbol: string;
  /** The latest filer; null if no list gives one. */
  cik: string | null;
  /** The filers that held the symbol for this company, in turn. The last one is `cik`. */
  ciks: readonly string[];
  firstAt: Instant;
  lastAt: Instant;
  /** Time when the company first had the symbol, according to lists and to company names. */
  heldFrom: Instant;
  /** Time when the company was last seen with the symbol, also according to both. */
  heldTo: Instant;
  /** Time when the company's change to this symbol was known; null for its first symbol. */
  renamedAt: Instant | null;
  /** Time when each feed last listed the symbol. */
  lastAtOf: ReadonlyMap<string, Instant>;
  /** True if the symbol no longer appears in later lists for the same filer. */
  isRemoved: boolean;
  /** True if a complete list of another feed has since named the filer without the symbol. */
  isReplaced: boolean;
  name: string | null;
  /** All names of the company while it held the symbol, oldest first. */
  names: readonly NamedAt[];
  exchange: string | null;
}

export interface NamedAt {
  name: string;
  at: Instant;
}

/** Feeds whose lists name every symbol of every filer. */
export const COMPLETE_LISTS: readonly string[] = [
  'sec/company-tickers',
  'sec/company-tickers-exchange',
];
/** Lists of two feeds are published on different days. */
const SAME_LIST_MS = 10 * 86_400_000;

/** Joins the observations of lists to one listing per symbol and filer, oldest first. */
export function listingsOf(
  histories: readonly ObservationHistory<SecurityObservation>[],
): Listing[] {
  const byListing = Map.groupBy(
    histories,
    (history) => `${history.entityKey}\n${latest(history).fields.cik ?? ''}`,
  );
  const listings = [...byListing.values()].map(joinHistories);
  const withFiler = new Set(listings.flatMap(({ cik, symbol }) => (cik === null ? [] : [symbol])));
  const distinct = listings.filter(({ cik, symbol }) => cik !== null || !withFiler.has(symbol));
  distinct.sort(byFirstSeen);
  const filers = Map.groupBy(distinct, (listing) => listing.cik ?? listing.symbol);
  for (const filer of filers.values()) markRemoved(filer);
  return distinct;
}

/** Returns a listing for a symbol that no list contains. */
export function unlisted(symbol: string): Listing {
  return {
    symbol,
    cik: null,
    ciks: [],
    firstAt: 0,
    lastAt: 0,
    heldFrom: 0,
    heldTo: 0,
    renamedAt: null,
    lastAtOf: new Map(),
    isRemoved: false,
    isReplaced: false,
    name: null,
    names: [],
    exchange: null,
  };
}

export function byFirstSeen(a: Listing, b: Listing): number {
  return (
    a.firstAt - b.firstAt ||
    compareText(a.symbol, b.symbol) ||
    compareText(a.cik ?? '', b.cik ?? '')
  );
}

/** Returns whether the first company held a symbol earlier than the second. */
export function isEarlier(a: Listing, b: Listing): boolean {
  const order =
    a.heldFrom - b.heldFrom ||
    compareText(a.cik ?? '', b.cik ?? '') ||
    compareText(a.names[0]?.name ?? '', b.names[0]?.name ?? '');
  return order < 0;
}

/**
 * Marks removed listings. A listing was removed if a feed that once contained it later lists the
 * filer without it, and no feed has contained it since. Feeds that never contained it are ignored,
 * because the lists from one source differ in what they omit. They only show a replacement, which
 * also requires a new symbol.
 */
function markRemoved(filer: readonly Listing[]): void {
  const newestOf = new Map<string, Instant>();
  for (const [feed, at] of filer.flatMap(({ lastAtOf }) => [...lastAtOf])) {
    newestOf.set(feed, Math.max(at, newestOf.get(feed) ?? at));
  }
  const newestComplete = Math.max(...COMPLETE_LISTS.map((feed) => newestOf.get(feed) ?? 0));
  for (const listing of filer) {
    const missedAt = [...listing.lastAtOf].flatMap(([feed, at]) => {
      const newest = newestOf.get(feed) ?? at;
      return newest > at ? [newest] : [];
    });
    listing.isRemoved = missedAt.length > 0 && Math.max(...missedAt) > listing.lastAt;
    listing.isReplaced = newestComplete > listing.lastAt + SAME_LIST_MS;
  }
}

function joinHistories(histories: readonly ObservationHistory<SecurityObservation>[]): Listing {
  const observations = histories.flatMap((history) => history.observations);
  const instants = observations.map(({ at }) => at);
  const newestFirst = histories
    .map((history) => ({ ...latest(history), key: `${history.provider}/${history.feed}` }))
    .toSorted((a, b) => b.at - a.at || compareText(a.key, b.key));
  const [first] = newestFirst;
  if (first === undefined) throw new RangeError('a listing without histories');
  const { symbol, cik } = first.fields;
  const [firstAt, lastAt] = [Math.min(...instants), Math.max(...instants)];
  return {
    ...unlisted(symbol),
    cik,
    ciks: cik === null ? [] : [cik],
    firstAt,
    lastAt,
    heldFrom: firstAt,
    heldTo: lastAt,
    lastAtOf: lastAtByFeed(newestFirst),
    name: firstKnown(newestFirst.map(({ fields }) => fields.name)),
    names: namesIn(
      observations.flatMap(({ at, fields: { name } }) => (name === null ? [] : [{ name, at }])),
    ),
    exchange: firstKnown(newestFirst.map(({ fields }) => fields.exchange)),
  };
}

/** Returns each name once, with the time when it was first seen, oldest first. */
export function namesIn(observed: readonly NamedAt[]): NamedAt[] {
  const firstSeen = new Map<string, NamedAt>();
  for (const named of observed.toSorted((a, b) => a.at - b.at || compareText(a.name, b.name))) {
    if (!firstSeen.has(named.name)) firstSeen.set(named.name, named);
  }
  return [...firstSeen.values()];
}

function lastAtByFeed(
  observations: readonly { at: Instant; key: string }[],
): ReadonlyMap<string, Instant> {
  const lastAtOf = new Map<string, Instant>();
  for (const { at, key } of observations) lastAtOf.set(key, Math.max(at, lastAtOf.get(key) ?? at));
  return lastAtOf;
}

export function firstKnown(values: readonly (string | null)[]): string | null {
  return values.find((value) => value !== null) ?? null;
}
