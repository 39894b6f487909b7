import { compareBy, compareText } from '../../platform/compare.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import type { DirectoryEntry } from './directory-entry.ts';

/** The part of an entry that a search text matched. */
export const MATCHED_FIELDS = ['symbol', 'former-symbol', 'name', 'former-name'] as const;

export interface Match {
  field: (typeof MATCHED_FIELDS)[number];
  /** The matching symbol or name. */
  text: string;
}

export interface SearchResult {
  entry: DirectoryEntry;
  /** Null if no text was searched. */
  match: Match | null;
}

/** An entry with its texts in the form in which they are compared. */
export interface SearchableEntry {
  entry: DirectoryEntry;
  symbol: string;
  formerSymbols: readonly SearchableText[];
  name: string;
  formerNames: readonly SearchableText[];
  /** All names, with a space before each word. One search in this text rules out most entries. */
  words: string;
}

interface SearchableText {
  original: string;
  folded: string;
}

/** Ranks of a match, the best first. */
const EXACT_SYMBOL = 0;
const EXACT_FORMER_SYMBOL = 1;
const SYMBOL_START = 2;
const NAME_START = 3;
const FORMER_START = 4;
const WORD_START = 5;
const RANKS = 6;

export function searchable(entry: DirectoryEntry): SearchableEntry {
  const own = foldName(entry.name ?? '');
  const formerNames = entry.formerNames
    .map((original) => ({ original, folded: foldName(original) }))
    .filter(({ folded }) => folded !== own);
  const formerSymbols = entry.formerSymbols.map(({ symbol }) => ({
    original: symbol,
    folded: foldSymbol(symbol),
  }));
  const words = [own, ...formerNames.map(({ folded }) => folded)].map((name) => ` ${name}`);
  return {
    entry,
    symbol: foldSymbol(entry.symbol),
    formerSymbols,
    name: own,
    formerNames,
    words: words.join(''),
  };
}

/** Sorts entries for a search: shorter symbols first, then by symbol and id. */
export function inSearchOrder(entries: Iterable<SearchableEntry>): SearchableEntry[] {
  return [...entries].sort(
    ({ entry: a }, { entry: b }) =>
      a.symbol.length - b.symbol.length ||
      compareText(a.symbol, b.symbol) ||
      compareText(a.securityId, b.securityId),
  );
}

/**
 * Returns the entries whose symbol, name, former symbol or former name begins with the text, or
 * whose name has a word that begins with each of its words. Ignores case, accents and punctuation.
 *
 * An exact symbol comes first, and listed securities before others. Then: the exact former symbol,
 * the start of a symbol, of a name, of a former symbol or name, and words within a name. Equal
 * matches keep the order of the entries.
 */
export function searchEntries(entries: readonly SearchableEntry[], text: string): SearchResult[] {
  const query = parseQuery(text);
  const groups = Array.from({ length: 2 * RANKS }, (): SearchResult[] => []);
  for (const candidate of candidatesIn(entries, query)) {
    const found = findMatch(candidate, query);
    if (found === null) continue;
    const { entry } = candidate;
    const isBehind = found.rank > EXACT_SYMBOL && !entry.active;
    groups[found.rank + (isBehind ? RANKS : 0)]?.push({ entry, match: found.match });
  }
  return groups.flat();
}

/** Returns entries in the order of their symbols. */
export const listEntries = oncePerList((entries): readonly SearchResult[] =>
  entries
    .map(({ entry }) => ({ entry, match: null }))
    .sort(compareBy(({ entry }) => `${entry.symbol} ${entry.securityId}`)),
);

/** Positions of entries, ascending, by the first and the first two characters of their texts. */
type Index = ReadonlyMap<string, readonly number[]>;

const indexOf = oncePerList((entries): Index => {
  const index = new Map<string, number[]>();
  for (const [position, { symbol, formerSymbols, words }] of entries.entries()) {
    const texts = [symbol, ...formerSymbols.map(({ folded }) => folded), ...words.split(' ')];
    const starts = texts.flatMap((text) => [text.slice(0, 1), text.slice(0, START_LENGTH)]);
    for (const start of new Set(starts)) {
      const positions = index.get(start);
      if (positions === undefined) index.set(start, [position]);
      else positions.push(position);
    }
  }
  return index;
});
const START_LENGTH = 2;

/** Returns the entries that may match, in their order. */
function candidatesIn(entries: readonly SearchableEntry[], query: Query): SearchableEntry[] {
  const index = indexOf(entries);
  const startingWith = (text: string): readonly number[] =>
    index.get(text.slice(0, START_LENGTH)) ?? [];
  // A name must have all words, so the rarest one decides.
  const [named = []] = query.words
    .map((word) => startingWith(word.trimStart()))
    .toSorted((a, b) => a.length - b.length);
  const positions = new Set([...query.symbols.flatMap(startingWith), ...named]);
  return [...positions].sort((a, b) => a - b).flatMap((position) => entries[position] ?? []);
}

/** Computes a value once for each list, because a directory keeps its list until it changes. */
function oncePerList<Value>(
  compute: (entries: readonly SearchableEntry[]) => Value,
): (entries: readonly SearchableEntry[]) => Value {
  const values = new WeakMap<readonly SearchableEntry[], Value>();
  return (entries) => {
    let value = values.get(entries);
    if (value === undefined) values.set(entries, (value = compute(entries)));
    return value;
  };
}

interface Query {
  /** The symbol as written, and in its canonical spelling. */
  symbols: readonly string[];
  name: string;
  /** The words of the name, each after a space. */
  words: readonly string[];
}

function parseQuery(text: string): Query {
  const canonical = parseSymbol(text);
  const symbols = [text, ...(canonical === null ? [] : [canonical])].map(foldSymbol);
  const name = foldName(text);
  return {
    symbols: [...new Set(symbols)].filter((symbol) => symbol !== ''),
    name,
    words: name === '' ? [] : name.split(' ').map((word) => ` ${word}`),
  };
}

interface Found {
  rank: number;
  match: Match;
}

function findMatch(candidate: SearchableEntry, query: Query): Found | null {
  return findSymbol(candidate, query) ?? findName(candidate, query);
}

function findSymbol(
  { entry, symbol, formerSymbols }: SearchableEntry,
  { symbols }: Query,
): Found | null {
  if (beginsWithOne(symbol, symbols)) {
    const rank = symbols.includes(symbol) ? EXACT_SYMBOL : SYMBOL_START;
    return { rank, match: { field: 'symbol', text: entry.symbol } };
  }
  for (const { folded, original } of formerSymbols) {
    if (!symbols.includes(folded)) continue;
    return { rank: EXACT_FORMER_SYMBOL, match: { field: 'former-symbol', text: original } };
  }
  return null;
}

function findName(candidate: SearchableEntry, query: Query): Found | null {
  const { entry, formerSymbols, name, formerNames } = candidate;
  const { symbols, name: text, words } = query;
  const mayMatch = words.length > 0 && hasWords(candidate.words, words);
  if (mayMatch && name.startsWith(text)) {
    return { rank: NAME_START, match: { field: 'name', text: entry.name ?? '' } };
  }
  for (const { folded, original } of formerSymbols) {
    if (!beginsWithOne(folded, symbols)) continue;
    return { rank: FORMER_START, match: { field: 'former-symbol', text: original } };
  }
  if (!mayMatch) return null;
  for (const { folded, original } of formerNames) {
    if (!folded.startsWith(text)) continue;
    return { rank: FORMER_START, match: { field: 'former-name', text: original } };
  }
  if (hasWords(` ${name}`, words)) {
    return { rank: WORD_START, match: { field: 'name', text: entry.name ?? '' } };
  }
  for (const { folded, original } of formerNames) {
    if (!hasWords(` ${folded}`, words)) continue;
    return { rank: WORD_START, match: { field: 'former-name', text: original } };
  }
  return null;
}

function beginsWithOne(symbol: string, starts: readonly string[]): boolean {
  for (const start of starts) if (symbol.startsWith(start)) return true;
  return false;
}

/** Returns whether each word begins a word of the name. All words follow a space. */
function hasWords(name: string, words: readonly string[]): boolean {
  for (const word of words) if (!name.includes(word)) return false;
  return true;
}

/** `brk-b`, `BRK.B` and `BRK/B` are compared as `BRKB`. */
function foldSymbol(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** Lower case without accents and punctuation: `Procter & Gamble Co.` becomes `procter gamble co`. */
function foldName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
