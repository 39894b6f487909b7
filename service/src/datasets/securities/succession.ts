import {
  bestLikeness,
  haveCommonStem,
  isNamedAfter,
  isWordsOf,
  type Likeness,
} from '../../domain/company-likeness.ts';
import { symbolKind } from '../../domain/symbol.ts';
import type { Instant } from '../../platform/instant.ts';
import { isEarlier, type Listing, namesIn, unlisted } from './listing.ts';
import {
  type CompanyNames,
  isMovedFrom,
  isMovedTo,
  type MovedNames,
  possibleMoves,
} from './moved-names.ts';
import { isContinuous, isContradictory, type Size, type Sizes } from './sizes.ts';
import type { SymbolName } from './symbol-names.ts';

/** The listings of each filer, which show whether a filer changed its symbol. */
export type FilerListings = ReadonlyMap<string, readonly Listing[]>;

export interface Evidence {
  filers: FilerListings;
  sizes: Sizes;
  movedNames: MovedNames;
  /** Pairs of a filer and its successor, as `CIK/CIK`, that another of their symbols shows. */
  successors: ReadonlySet<string>;
}

/**
 * Returns the companies that held one symbol in turn, one listing each. A new filer continues a
 * company if it reorganized, which its name shows, or, under a new name, its price and market
 * capitalization on the days around the change. A filer that exchanged another symbol for this one,
 * or this one for another, is a company of its own.
 */
export function companiesWith(
  symbol: string,
  { listings, names }: { listings: readonly Listing[]; names: readonly SymbolName[] },
  evidence: Evidence,
): Listing[] {
  const isAlone = listings.length === 0;
  const start = isAlone ? [withFirstName(unlisted(symbol), names)] : listings;
  const { named, unmatched } = matchNames(start, names);
  // The nearest names come first, because they tell more about the company than older ones.
  const gapTo = (name: SymbolName): number =>
    Math.min(...named.map((listing) => gapBetween(listing, name)));
  const nearestFirst = unmatched.toSorted((a, b) => gapTo(a) - gapTo(b));
  const companies = nearestFirst.reduce(
    (current, name) => addUnmatched(current, name, evidence),
    named,
  );
  return joinSuccessors(companies, evidence);
}

/** Symbols of the same kind that a filer gained after it lost the listing. */
function movedTo(old: Listing, filers: FilerListings): Listing[] {
  if (!isWithdrawn(old)) return [];
  return sameKind(old, filers).filter(({ firstAt }) => firstAt > old.lastAt);
}

/** Symbols of the same kind that a filer lost before it gained the listing. */
function movedFrom(next: Listing, filers: FilerListings): Listing[] {
  return sameKind(next, filers).filter((old) => isWithdrawn(old) && old.lastAt < next.firstAt);
}

/** Returns whether the filer's lists show that it gave up the symbol. */
function isWithdrawn({ isRemoved, isReplaced }: Listing): boolean {
  return isRemoved || isReplaced;
}

function sameKind(listing: Listing, filers: FilerListings): Listing[] {
  return (filers.get(listing.cik ?? '') ?? []).filter(
    (other) =>
      other.symbol !== listing.symbol && symbolKind(other.symbol) === symbolKind(listing.symbol),
  );
}

function withFirstName(listing: Listing, [first]: readonly SymbolName[]): Listing {
  if (first === undefined) return listing;
  const { name, from } = first;
  return { ...listing, heldFrom: from, heldTo: from, names: [{ name, at: from }] };
}

/** Adds each name to the listing that it fits, the nearest in time of several. */
function matchNames(
  listings: readonly Listing[],
  names: readonly SymbolName[],
): { named: Listing[]; unmatched: SymbolName[] } {
  const named = listings.toSorted((a, b) => (isEarlier(a, b) ? -1 : 1));
  const unmatched: SymbolName[] = [];
  for (const name of names) {
    const listing = nearestNamed(named, name, 'same') ?? nearestNamed(named, name, 'similar');
    if (listing === undefined) unmatched.push(name);
    else named[named.indexOf(listing)] = extended(listing, name);
  }
  return { named, unmatched };
}

function nearestNamed(
  listings: readonly Listing[],
  name: SymbolName,
  likeness: Likeness,
): Listing | undefined {
  const [nearest] = listings
    .filter((listing) => likenessTo(listing, name) === likeness)
    .toSorted((a, b) => gapBetween(a, name) - gapBetween(b, name));
  return nearest;
}

/** Returns the time between a company's listing and a name; 0 if they overlap. */
function gapBetween({ firstAt, lastAt }: Listing, { from, to }: SymbolName): number {
  return Math.max(0, firstAt - to, from - lastAt);
}

function likenessTo(listing: Listing, { name }: SymbolName): Likeness {
  return bestLikeness(name, textsOf(listing));
}

function extended(listing: Listing, { name, from, to }: SymbolName): Listing {
  return {
    ...listing,
    heldFrom: Math.min(listing.heldFrom, from),
    heldTo: Math.max(listing.heldTo, to),
    names: namesIn([...listing.names, { name, at: from }]),
  };
}

/**
 * Adds a name that fits no company so far. It is another name of the company that held the symbol
 * next, or last, unless that company had another symbol then or is of a different size.
 */
function addUnmatched(
  companies: readonly Listing[],
  name: SymbolName,
  evidence: Evidence,
): Listing[] {
  const similar = companies.find((company) =>
    ['same', 'similar'].includes(likenessTo(company, name)),
  );
  if (similar !== undefined) return replaced(companies, similar, extended(similar, name));
  const ordered = companies.toSorted((a, b) => (isEarlier(a, b) ? -1 : 1));
  const next = ordered.find(({ heldFrom }) => heldFrom > name.to);
  const last = ordered.findLast(({ heldTo }) => heldTo < name.from);
  const isOther =
    next !== undefined
      ? isBefore(name, next, evidence)
      : last !== undefined && isAfter(name, last, evidence);
  if (isOther) return [...companies, otherCompany(name)];
  const current = next ?? last ?? ordered.at(-1);
  if (current === undefined) return [otherCompany(name)];
  return replaced(companies, current, extended(current, name));
}

function isBefore(
  name: SymbolName,
  next: Listing,
  { filers, sizes, movedNames }: Evidence,
): boolean {
  if (movedFrom(next, filers).some(({ lastAt }) => lastAt > name.from)) return true;
  if (hasLeft(name.symbol, [name.name], next.heldFrom, movedNames)) return true;
  const names = textsOf(next);
  const isElsewhere = movedNames
    .namesakesOf(name.symbol, names)
    .some(({ from }) => from <= name.from);
  if (isElsewhere && !names.some((other) => isWordsOf(other, name.name))) return true;
  const before = sizes.until(name.symbol, name.to);
  return isOther(name, next, [before, sizes.since(name.symbol, next.heldFrom)]);
}

function isAfter(
  name: SymbolName,
  last: Listing,
  { filers, sizes, movedNames }: Evidence,
): boolean {
  if (movedTo(last, filers).some(({ firstAt }) => firstAt <= name.from)) return true;
  const names = textsOf(last);
  if (hasLeft(name.symbol, names, name.from, movedNames)) return true;
  const hasCome = movedNames.moves.some((move) => isMovedTo(move, name.symbol, [name.name]));
  if (hasCome && !names.some((other) => isWordsOf(name.name, other))) return true;
  const before = sizes.until(name.symbol, last.heldTo);
  return isOther(name, last, [before, sizes.since(name.symbol, name.from)]);
}

/** Returns whether a company with one of the names had another symbol at the time. */
function hasLeft(
  symbol: string,
  names: readonly string[],
  at: Instant,
  { moves }: MovedNames,
): boolean {
  return moves.some((move) => move.since <= at && isMovedFrom(move, symbol, names));
}

function textsOf({ names }: Listing): string[] {
  return names.map(({ name }) => name);
}

function isOther(
  name: SymbolName,
  company: Listing,
  [before, after]: readonly [before: Size | null, after: Size | null],
): boolean {
  if (likenessTo(company, name) === 'conflicting') return true;
  const names = textsOf(company);
  if (names.some((other) => haveCommonStem(other, name.name))) return false;
  if ([name.name, ...names].some((each) => isNamedAfter(each, name.symbol))) return false;
  return isContradictory(before, after);
}

function otherCompany({ symbol, name, from, to }: SymbolName): Listing {
  const times = { firstAt: from, lastAt: to, heldFrom: from, heldTo: to };
  return { ...unlisted(symbol), ...times, name, names: [{ name, at: from }] };
}

function replaced(companies: readonly Listing[], old: Listing, by: Listing): Listing[] {
  return companies.map((company) => (company === old ? by : company));
}

/** Joins each listing to the one before it if both are of one company. */
function joinSuccessors(companies: readonly Listing[], evidence: Evidence): Listing[] {
  const joined: Listing[] = [];
  for (const next of companies.toSorted((a, b) => (isEarlier(a, b) ? -1 : 1))) {
    const last = joined.at(-1);
    if (last !== undefined && isSuccessor(last, next, evidence))
      joined.splice(-1, 1, joinOf(last, next));
    else joined.push(next);
  }
  return joined;
}

function isSuccessor(last: Listing, next: Listing, evidence: Evidence): boolean {
  const { filers, sizes, successors } = evidence;
  if (last.cik === null || next.cik === null) return false;
  if (movedTo(last, filers).length > 0 || movedFrom(next, filers).length > 0) return false;
  const likeness = new Set(textsOf(next).map((name) => bestLikeness(name, textsOf(last))));
  if (likeness.has('same')) return true;
  if (likeness.has('conflicting')) return false;
  if (successors.has(`${last.cik}/${next.cik}`)) return true;
  const before = sizes.until(last.symbol, last.heldTo);
  const after = sizes.since(next.symbol, next.heldFrom);
  return likeness.has('similar') ? !isContradictory(before, after) : isContinuous(before, after);
}

function joinOf(last: Listing, next: Listing): Listing {
  return {
    ...next,
    ciks: [...last.ciks, ...next.ciks],
    firstAt: Math.min(last.firstAt, next.firstAt),
    lastAt: Math.max(last.lastAt, next.lastAt),
    heldFrom: Math.min(last.heldFrom, next.heldFrom),
    heldTo: Math.max(last.heldTo, next.heldTo),
    exchange: next.exchange ?? last.exchange,
    names: namesIn([...last.names, ...next.names]),
  };
}

/**
 * Returns the instants at which sizes are compared: those of symbols with several filers or unlike
 * names, and those of names that may have moved to another symbol.
 */
export function boundariesOf(
  listings: readonly Listing[],
  { names, formerNames }: CompanyNames,
): { symbol: string; at: Instant }[] {
  const listingsWith = Map.groupBy(listings, ({ symbol }) => symbol);
  const namesWith = Map.groupBy(names, ({ symbol }) => symbol);
  const symbols = new Set([...listingsWith.keys(), ...namesWith.keys()]);
  const ofUnlike = [...symbols].flatMap((symbol) => {
    const own = listingsWith.get(symbol) ?? [];
    const ownNames = namesWith.get(symbol) ?? [];
    if (own.length < 2 && areAlike(own, ownNames)) return [];
    return [
      ...own.flatMap(({ heldFrom, heldTo }) => [heldFrom, heldTo]),
      ...ownNames.flatMap(({ from, to }) => [from, to]),
    ].map((at) => ({ symbol, at }));
  });
  const ofMoves = possibleMoves({ names, formerNames }, listings).flatMap(({ from, to, since }) => [
    { symbol: from.symbol, at: from.to },
    { symbol: to.symbol, at: since },
  ]);
  return [...ofUnlike, ...ofMoves].filter(({ at }) => at > 0);
}

function areAlike([listing]: readonly Listing[], names: readonly SymbolName[]): boolean {
  const known =
    listing === undefined ? names.slice(0, 1).map(({ name }) => name) : textsOf(listing);
  return names.every(({ name }) => bestLikeness(name, known) === 'same');
}
