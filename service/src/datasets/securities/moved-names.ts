import { bestLikeness } from '../../domain/company-likeness.ts';
import { foldFormerName, foldFullName } from '../../domain/former-name.ts';
import { issuerName } from '../../domain/issuer-name.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { symbolKind } from '../../domain/symbol.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Listing } from './listing.ts';
import { isContradictory, type Sizes } from './sizes.ts';
import type { Period, SymbolName } from './symbol-names.ts';

/** A name that a filer had until a day, according to the filer's submissions. */
export interface FormerName {
  cik: string;
  name: string;
  until: LocalDate;
  /** Time when a source first gave the former name. */
  at: Instant;
}

/** Evidence that a company changed its symbol. */
export interface Move {
  from: { symbol: string; name: string; to: Instant };
  /** The new symbol, with its filer if the filer's former names are the evidence. */
  to: { symbol: string; name: string; cik: string | null };
  /** Time when the company was first seen with the new symbol. */
  since: Instant;
  /** Time when the evidence was complete. */
  at: Instant;
}

/** Company names that several symbols had. */
export interface MovedNames {
  moves: readonly Move[];
  /** Other symbols' names that are equal to one of these names of the symbol. */
  namesakesOf(symbol: string, names: readonly string[]): SymbolName[];
  /** Symbols with a name that moved, or that may turn out to have moved. */
  symbols: ReadonlySet<string>;
}

/** Names that two symbols had further apart may belong to two companies. */
const GAP_MS_MAX = 3 * 365 * 86_400_000;

/** The names of companies in connected symbols and filers. */
export interface CompanyNames {
  /** Oldest first. */
  names: readonly SymbolName[];
  formerNames: readonly FormerName[];
}

/**
 * Finds names that moved from one symbol to another of the same kind. Either both symbols had the
 * same full name, including the kind of security, one after the other, and no third symbol had it
 * then. Or the old symbol had a former name of the new symbol's filer. Neither counts if the sizes
 * prove two companies.
 */
export function findMovedNames(
  { sizes, ...evidence }: CompanyNames & { sizes: Sizes },
  listings: readonly Listing[],
): MovedNames {
  const groups = namesakeGroups(evidence.names);
  const byKey = new Map(groups.map((group) => [group.key, group.names]));
  return {
    moves: possibleMoves(evidence, listings).filter(
      ({ from, to, since }) =>
        !isContradictory(sizes.until(from.symbol, from.to), sizes.since(to.symbol, since)),
    ),
    namesakesOf: (symbol, names) =>
      [...new Set(names.map((name) => keyOf({ symbol, name })))]
        .flatMap((key) => byKey.get(key) ?? [])
        .filter((other) => other.symbol !== symbol),
    symbols: new Set([
      ...groups.flatMap((group) => group.names.map(({ symbol }) => symbol)),
      ...filedCandidates(evidence, listings).flatMap(({ name, target }) => [
        name.symbol,
        target.symbol,
      ]),
    ]),
  };
}

/** Returns the moves to which the sizes may object. */
export function possibleMoves(evidence: CompanyNames, listings: readonly Listing[]): Move[] {
  const moves = [
    ...namesakeGroups(evidence.names).flatMap(movesIn),
    ...filedMoves(evidence, listings),
  ];
  return moves.filter(({ from, since }) => since - from.to <= GAP_MS_MAX);
}

/** Returns whether the name of the symbol is the one that moved away. */
export function isMovedFrom({ from }: Move, symbol: string, names: readonly string[]): boolean {
  return from.symbol === symbol && names.some((name) => isSameName(name, from.name));
}

/** Returns whether the name of the symbol is the one that moved there. */
export function isMovedTo({ to }: Move, symbol: string, names: readonly string[]): boolean {
  return to.symbol === symbol && names.some((name) => isSameName(name, to.name));
}

function isSameName(a: string, b: string): boolean {
  return foldFullName(a) === foldFullName(b);
}

interface NamesakeGroup {
  key: string;
  names: SymbolName[];
}

/** Groups equal full names of different symbols of one kind. */
function namesakeGroups(names: readonly SymbolName[]): NamesakeGroup[] {
  return [...Map.groupBy(names, keyOf)]
    .filter(([, group]) => group.some(({ symbol }) => symbol !== group[0]?.symbol))
    .map(([key, group]) => ({ key, names: group }));
}

function keyOf({ symbol, name }: { symbol: string; name: string }): string {
  // A name without Latin letters is equal to itself only.
  return `${symbolKind(symbol)}\n${foldFullName(name) || name}`;
}

function movesIn({ names }: NamesakeGroup): Move[] {
  const bySymbol = [...Map.groupBy(names, ({ symbol }) => symbol).values()];
  return bySymbol.flatMap((before) =>
    bySymbol.flatMap((after): Move[] => {
      const [last, first] = [before.toSorted((a, b) => b.to - a.to)[0], after[0]];
      if (last === undefined || first === undefined || !isFollowed(before, after)) return [];
      const others = bySymbol.filter((other) => other !== before && other !== after);
      const period = { from: before[0]?.from ?? last.from, to: endOf(after) };
      if (others.flat().some((other) => overlaps(other, period))) return [];
      const to = { symbol: first.symbol, name: first.name, cik: null };
      return [{ from: last, to, since: first.from, at: Math.max(period.from, first.from) }];
    }),
  );
}

/**
 * Returns whether the first symbol's names ended before those of the second began. Feeds are
 * compared one by one, because they adopt a new symbol on different days.
 */
function isFollowed(before: readonly SymbolName[], after: readonly SymbolName[]): boolean {
  if (before[0] === after[0]) return false;
  const ends = before.flatMap(({ byFeed }) => [...byFeed]);
  const starts = after.flatMap(({ byFeed }) => [...byFeed]);
  const pairs = ends.flatMap(([feed, end]) =>
    starts.filter(([other]) => other === feed).map(([, start]) => ({ end, start })),
  );
  if (pairs.length > 0) return pairs.every(({ end, start }) => end.to < start.from);
  return endOf(before) < Math.min(...after.map(({ from }) => from));
}

function endOf(names: readonly SymbolName[]): Instant {
  return Math.max(...names.map(({ to }) => to));
}

function overlaps(a: Period, b: Period): boolean {
  return a.from <= b.to && b.from <= a.to;
}

interface FiledCandidate {
  name: SymbolName;
  former: FormerName;
  target: Listing;
}

/** Pairs symbols that had a former name of a filer with the filer's other symbols. */
function filedCandidates(
  { names, formerNames }: CompanyNames,
  listings: readonly Listing[],
): FiledCandidate[] {
  if (formerNames.length === 0) return [];
  const byName = Map.groupBy(formerNames, ({ name }) => foldFormerName(name));
  byName.delete('');
  const byFiler = Map.groupBy(listings, ({ cik }) => cik);
  return names.flatMap((name) =>
    (byName.get(foldFormerName(issuerName(name.name))) ?? []).flatMap((former) =>
      (byFiler.get(former.cik) ?? [])
        .filter(({ symbol }) => symbol !== name.symbol)
        .filter(({ symbol }) => symbolKind(symbol) === symbolKind(name.symbol))
        .map((target) => ({ name, former, target })),
    ),
  );
}

/** Returns the moves that the former names of filers show, if only one symbol is possible. */
function filedMoves(evidence: CompanyNames, listings: readonly Listing[]): Move[] {
  const candidates = filedCandidates(evidence, listings).flatMap(({ name, former, target }) => {
    const titles = target.names.map((title) => title.name);
    const own = evidence.names.filter(
      (other) => other.symbol === target.symbol && bestLikeness(other.name, titles) === 'same',
    );
    const since = Math.min(target.firstAt, ...own.map(({ from }) => from));
    const isBefore = newYorkDate(name.from) <= former.until && name.to < since;
    const isOfClass = own.length === 0 || own.some((other) => haveSameClass(other.name, name.name));
    const to = { symbol: target.symbol, name: titles[0] ?? '', cik: target.cik };
    const at = Math.max(name.from, since, former.at);
    return isBefore && isOfClass ? [{ from: name, to, since, at }] : [];
  });
  return [...Map.groupBy(candidates, ({ from }) => from.symbol).values()].flatMap((moves) => {
    const targets = new Set(moves.map(({ to }) => `${to.symbol}\n${to.cik}`));
    const [latest] = moves.toSorted((a, b) => b.from.to - a.from.to || a.at - b.at);
    return latest !== undefined && targets.size === 1 ? [latest] : [];
  });
}

/** Compares the security descriptions in two names, such as `Class A Common Stock`. */
function haveSameClass(a: string, b: string): boolean {
  return classOf(a) === classOf(b);
}

function classOf(name: string): string {
  return foldFullName(name.slice(issuerName(name).length).replace(/\(.*?\)/g, ''));
}
