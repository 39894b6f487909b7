import { addDays } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { symbolKind } from '../../domain/symbol.ts';
import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type { SecurityObservation } from './observation.ts';
import { type Security, securityId, type SymbolSpan } from './row.ts';

/** A filer's symbol, with the times at which it appeared in lists. */
interface Listing {
  symbol: string;
  cik: string | null;
  firstAt: Instant;
  lastAt: Instant;
  /** Time when each feed last listed the symbol. */
  lastAtOf: ReadonlyMap<string, Instant>;
  /** True if the symbol no longer appears in later lists for the same filer. */
  isRemoved: boolean;
  name: string | null;
  exchange: string | null;
}

/**
 * Derives securities from lists and from symbols seen elsewhere (`implied`). A pure function: equal
 * input in any order yields equal securities.
 *
 * If a filer's lists lose one symbol and gain another of the same kind, the filer has renamed it. A
 * symbol taken over by a second filer belongs to the first filer until the day before the second
 * filer was first seen with it.
 */
export function deriveSecurities(
  histories: readonly ObservationHistory<SecurityObservation>[],
  implied: Iterable<string>,
): Security[] {
  const listings = listingsOf(histories);
  const listed = new Set(listings.map(({ symbol }) => symbol));
  for (const symbol of implied) if (!listed.has(symbol)) listings.push(unlisted(symbol));
  const byFiler = Map.groupBy(listings, (listing) => listing.cik ?? listing.symbol);
  const chains = [...byFiler.values()].flatMap(chainsOf);
  const holders = Map.groupBy(
    chains.flatMap((chain) => chain.map((listing) => ({ listing, chain }))),
    ({ listing }) => listing.symbol,
  );
  return chains.map((chain) => {
    const siblings = byFiler.get(chain[0]?.cik ?? '') ?? chain;
    return toSecurity(chain, siblings, (listing) =>
      (holders.get(listing.symbol) ?? [])
        .filter((holder) => holder.chain !== chain)
        .map((holder) => holder.listing),
    );
  });
}

function listingsOf(histories: readonly ObservationHistory<SecurityObservation>[]): Listing[] {
  const byListing = Map.groupBy(
    histories,
    (history) => `${history.entityKey}\n${latest(history).fields.cik ?? ''}`,
  );
  const listings = [...byListing.values()].map(joinHistories);
  const withFiler = new Set(listings.flatMap(({ cik, symbol }) => (cik === null ? [] : [symbol])));
  const distinct = listings.filter(({ cik, symbol }) => cik !== null || !withFiler.has(symbol));
  distinct.sort((a, b) => a.firstAt - b.firstAt || compareText(a.symbol, b.symbol));
  const filers = Map.groupBy(distinct, (listing) => listing.cik ?? listing.symbol);
  for (const filer of filers.values()) markRemoved(filer);
  return distinct;
}

/**
 * Marks removed listings. A listing was removed if a feed that once contained it later lists the
 * filer without it, and no feed has contained it since. Feeds that never contained it are ignored,
 * because the lists from one source differ in what they omit.
 */
function markRemoved(filer: readonly Listing[]): void {
  const newestOf = new Map<string, Instant>();
  for (const [feed, at] of filer.flatMap(({ lastAtOf }) => [...lastAtOf])) {
    newestOf.set(feed, Math.max(at, newestOf.get(feed) ?? at));
  }
  for (const listing of filer) {
    const missedAt = [...listing.lastAtOf].flatMap(([feed, at]) => {
      const newest = newestOf.get(feed) ?? at;
      return newest > at ? [newest] : [];
    });
    listing.isRemoved = missedAt.length > 0 && Math.max(...missedAt) > listing.lastAt;
  }
}

function joinHistories(histories: readonly ObservationHistory<SecurityObservation>[]): Listing {
  const instants = histories.flatMap(({ observations }) => observations.map(({ at }) => at));
  const newestFirst = histories
    .map((history) => ({ ...latest(history), key: `${history.provider}/${history.feed}` }))
    .toSorted((a, b) => b.at - a.at || compareText(a.key, b.key));
  const [first] = newestFirst;
  if (first === undefined) throw new RangeError('a listing without histories');
  return {
    symbol: first.fields.symbol,
    cik: first.fields.cik,
    firstAt: Math.min(...instants),
    lastAt: Math.max(...instants),
    lastAtOf: lastAtByFeed(newestFirst),
    isRemoved: false,
    name: firstKnown(newestFirst.map(({ fields }) => fields.name)),
    exchange: firstKnown(newestFirst.map(({ fields }) => fields.exchange)),
  };
}

function lastAtByFeed(
  observations: readonly { at: Instant; key: string }[],
): ReadonlyMap<string, Instant> {
  const lastAtOf = new Map<string, Instant>();
  for (const { at, key } of observations) lastAtOf.set(key, Math.max(at, lastAtOf.get(key) ?? at));
  return lastAtOf;
}

/**
 * Groups a filer's listings into securities. Each chain is one security, with the oldest symbol
 * first.
 */
function chainsOf(listings: readonly Listing[]): Listing[][] {
  const chains: Listing[][] = [];
  for (const listing of listings) {
    const renamed = chains.filter((chain) => isRenamed(chain, listing, listings));
    const [chain] = renamed;
    if (chain !== undefined && renamed.length === 1) chain.push(listing);
    else chains.push([listing]);
  }
  return chains;
}

function isRenamed(
  chain: readonly Listing[],
  next: Listing,
  listings: readonly Listing[],
): boolean {
  const old = chain.at(-1);
  if (old === undefined || !old.isRemoved || old.lastAt >= next.firstAt) return false;
  if (symbolKind(old.symbol) !== symbolKind(next.symbol)) return false;
  const isRival = (other: Listing): boolean =>
    other !== next &&
    other.firstAt > old.lastAt &&
    other.firstAt <= next.firstAt &&
    symbolKind(other.symbol) === symbolKind(next.symbol);
  return !listings.some(isRival);
}

function toSecurity(
  chain: readonly Listing[],
  siblings: readonly Listing[],
  othersWith: (listing: Listing) => Listing[],
): Security {
  const [first] = chain;
  const last = chain.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('an empty chain');
  const isLaterHolder = othersWith(first).some((other) => isEarlier(other, first));
  return {
    id: securityId(first.symbol, isLaterHolder ? first.cik : null),
    symbol: last.symbol,
    cik: last.cik,
    name: firstKnown(chain.toReversed().map((listing) => listing.name)),
    exchange: last.exchange,
    active: !last.isRemoved && !othersWith(last).some((other) => isEarlier(last, other)),
    reports: reportsFor(last, siblings),
    listedAt: last.firstAt > 0 ? last.firstAt : null,
    symbols: chain.map((listing, i) => spanOf(listing, chain[i - 1], chain[i + 1], othersWith)),
  };
}

function spanOf(
  listing: Listing,
  before: Listing | undefined,
  after: Listing | undefined,
  othersWith: (listing: Listing) => Listing[],
): SymbolSpan {
  const others = othersWith(listing);
  const hasEarlierHolder = others.some((other) => isEarlier(other, listing));
  const laterHolders = others.filter((other) => isEarlier(listing, other));
  const ends = [after, ...laterHolders].flatMap((other) =>
    other === undefined ? [] : [other.firstAt],
  );
  return {
    symbol: listing.symbol,
    from: before !== undefined || hasEarlierHolder ? newYorkDate(listing.firstAt) : null,
    to: ends.length > 0 ? addDays(newYorkDate(Math.min(...ends)), -1) : null,
  };
}

/**
 * Returns whether a filer's reports belong to this listing. They belong to the filer's shortest
 * plain symbol, and to symbols that differ from it only by share class (GOOG and GOOGL, FOX and
 * FOXA, BRK.A and BRK.B).
 */
function reportsFor(listing: Listing, siblings: readonly Listing[]): boolean {
  if (symbolKind(listing.symbol) !== 'share') return false;
  const plain = siblings
    .filter(
      (other) => symbolKind(other.symbol) === 'share' && other.isRemoved === listing.isRemoved,
    )
    .map((other) => stem(other.symbol))
    .toSorted((a, b) => a.length - b.length || compareText(a, b));
  const primary = plain[0] ?? stem(listing.symbol);
  const stemOfListing = stem(listing.symbol);
  if (stemOfListing === primary) return true;
  if (NO_SHARE.test(stemOfListing)) return false;
  if (stemOfListing.startsWith(primary)) return stemOfListing.length === primary.length + 1;
  return (
    stemOfListing.length === primary.length &&
    stemOfListing.length >= 4 &&
    stemOfListing.slice(0, -1) === primary.slice(0, -1)
  );
}

/** Nasdaq's fifth letters for preferred shares, rights, units and warrants. */
const NO_SHARE = /^[A-Z]{4}[MNOPRUW]$/;

function stem(symbol: string): string {
  return symbol.split('.')[0] ?? symbol;
}

function unlisted(symbol: string): Listing {
  return {
    symbol,
    cik: null,
    firstAt: 0,
    lastAt: 0,
    lastAtOf: new Map(),
    isRemoved: false,
    name: null,
    exchange: null,
  };
}

/**
 * Returns whether the first filer held a symbol earlier than the second. Ties are broken by CIK.
 */
function isEarlier(a: Listing, b: Listing): boolean {
  return (
    a.firstAt < b.firstAt || (a.firstAt === b.firstAt && compareText(a.cik ?? '', b.cik ?? '') < 0)
  );
}

function firstKnown(values: readonly (string | null)[]): string | null {
  return values.find((value) => value !== null) ?? null;
}
