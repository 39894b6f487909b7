import { symbolKind } from '../../domain/symbol.ts';
import { compareText } from '../../platform/compare.ts';
import type { Listing } from './listing.ts';
import { isMovedFrom, isMovedTo, type Move } from './moved-names.ts';

/** Nasdaq's fifth letters for preferred shares, rights, units and warrants. */
export const NO_SHARE = /^[A-Z]{4}[MNOPRUW]$/;

/**
 * Groups listings into securities, each with its oldest symbol first. A renaming is shown by the
 * lists of a filer, or by a company name that moved from one symbol to another.
 */
export function chainsIn(listings: readonly Listing[], moves: readonly Move[]): Listing[][] {
  const chains = [...groupByFiler(listings).values()].flatMap(chainsOf);
  const latestFirst = moves.toSorted(
    (a, b) =>
      Number(b.to.cik === null) - Number(a.to.cik === null) ||
      b.from.to - a.from.to ||
      compareText(textOf(a), textOf(b)),
  );
  for (const move of latestFirst) applyMove(chains, move);
  return chains;
}

function textOf({ from, to }: Move): string {
  return `${from.symbol} ${to.symbol} ${from.name}`;
}

/** Joins the chain that ends with the old symbol and the chain that begins with the new one. */
function applyMove(chains: Listing[][], move: Move): void {
  const isOld = (listing: Listing): boolean => isMovedFrom(move, listing.symbol, namesOf(listing));
  const isNew = (listing: Listing): boolean => isMovedTo(move, listing.symbol, namesOf(listing));
  const before = chains.find((chain) => chain.slice(-1).some(isOld));
  const after = chains.find((chain) => chain.slice(0, 1).some(isNew));
  const [first, ...others] = after ?? [];
  if (first !== undefined && before !== undefined && before !== after) {
    const wasHeldBefore = first.heldFrom < move.since && first.heldFrom <= move.from.to;
    if (wasHeldBefore || !mayShareFiler(before, [first, ...others])) return;
    before.push({ ...first, renamedAt: move.at }, ...others);
    chains.splice(
      chains.findIndex((chain) => chain === after),
      1,
    );
    return;
  }
  // A list of filers shows the same renaming, maybe at another time.
  for (const chain of chains) {
    const index = chain.findIndex((listing, i) => i > 0 && isNew(listing));
    const [old, next] = [chain[index - 1], chain[index]];
    if (old === undefined || next === undefined || !isOld(old)) continue;
    chain[index] = { ...next, renamedAt: Math.min(next.renamedAt ?? move.at, move.at) };
  }
}

function namesOf({ names }: Listing): string[] {
  return names.map(({ name }) => name);
}

/** Returns false if lists give the symbols to different filers only. */
function mayShareFiler(before: readonly Listing[], after: readonly Listing[]): boolean {
  const filers = new Set(before.flatMap(({ ciks }) => ciks));
  const others = after.flatMap(({ ciks }) => ciks);
  return filers.size === 0 || others.length === 0 || others.some((cik) => filers.has(cik));
}

/** Groups listings by filer. The filers of a reorganized company are one group. */
function groupByFiler(listings: readonly Listing[]): Map<string, Listing[]> {
  const groupOf = new Map<string, string>();
  const rootOf = (cik: string): string => {
    const parent = groupOf.get(cik) ?? cik;
    return parent === cik ? cik : rootOf(parent);
  };
  for (const { ciks } of listings) {
    for (const cik of ciks.slice(1)) {
      const [a = '', b = ''] = [rootOf(ciks[0] ?? ''), rootOf(cik)].toSorted(compareText);
      groupOf.set(b, a);
    }
  }
  return Map.groupBy(listings, (listing) => {
    const [cik] = listing.ciks;
    return cik === undefined ? `${listing.symbol}\n${listing.heldFrom}` : rootOf(cik);
  });
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
    if (chain !== undefined && renamed.length === 1) {
      chain.push({ ...listing, renamedAt: listing.firstAt });
    } else chains.push([listing]);
  }
  return chains;
}

function isRenamed(
  chain: readonly Listing[],
  next: Listing,
  listings: readonly Listing[],
): boolean {
  const old = chain.at(-1);
  if (old === undefined || old.lastAt >= next.firstAt) return false;
  if (!old.isRemoved && !(old.isReplaced && !isOfOtherShare(old, listings))) return false;
  if (symbolKind(old.symbol) !== symbolKind(next.symbol)) return false;
  if (!old.ciks.some((cik) => next.ciks.includes(cik))) return false;
  const isRival = (other: Listing): boolean =>
    other !== next &&
    other.firstAt > old.lastAt &&
    other.firstAt <= next.firstAt &&
    symbolKind(other.symbol) === symbolKind(next.symbol);
  return !listings.some(isRival);
}

/**
 * Returns whether a symbol extends another symbol of the filer, as those of notes and preferred
 * shares do. Their issues succeed each other without being renamed.
 */
function isOfOtherShare({ symbol }: Listing, listings: readonly Listing[]): boolean {
  return (
    NO_SHARE.test(symbol) ||
    listings.some(
      (other) =>
        other.symbol.length >= 2 && symbol.startsWith(other.symbol) && symbol !== other.symbol,
    )
  );
}
