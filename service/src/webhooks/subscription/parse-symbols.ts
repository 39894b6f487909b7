import { parseSymbol } from '../../domain/symbol.ts';

/** Symbols parsed from pasted text. */
export interface ParsedSymbols {
  /** Normalized symbols without duplicates, in alphabetical order. */
  symbols: string[];
  /** Symbols that were listed more than once, in alphabetical order. */
  repeated: string[];
  /** Words that are not valid symbols, as entered, without duplicates. */
  invalid: string[];
}

/** Maximum number of invalid words. Further words are dropped. */
const INVALID_MAX = 100;

/**
 * Parses a list of symbols: an array, or text separated by commas, semicolons, spaces, tabs or line
 * breaks. Ignores quotes and dollar signs around symbols. An array element that is a valid symbol
 * as a whole is not split: `BRK B` is neither BRK nor B.
 */
export function parseSymbols(input: string | readonly string[]): ParsedSymbols {
  const words = typeof input === 'string' ? wordsOf(input) : input.flatMap(wordsOfMember);
  const symbols = new Set<string>();
  const repeated = new Set<string>();
  const invalid = new Set<string>();
  for (const word of words) {
    const symbol = parseSymbol(word);
    if (symbol !== null) (symbols.has(symbol) ? repeated : symbols).add(symbol);
    else if (invalid.size < INVALID_MAX) invalid.add(word.slice(0, 40));
  }
  return {
    symbols: [...symbols].sort(),
    repeated: [...repeated].sort(),
    invalid: [...invalid],
  };
}

function wordsOfMember(text: string): string[] {
  const whole = trimQuotes(text.trim());
  return parseSymbol(whole) === null ? wordsOf(text) : [whole];
}

function wordsOf(text: string): string[] {
  return text
    .split(/[\s,;|]+/)
    .map(trimQuotes)
    .filter((word) => word !== '');
}

const QUOTES = new Set(`"'\`“”‘’`);

/**
 * Uses no regular expression, because trailing quotes would make it backtrack for minutes on a
 * large body.
 */
function trimQuotes(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && isPrefix(word.charAt(start))) start += 1;
  while (end > start && QUOTES.has(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}

/**
 * Returns true for characters that are trimmed before a symbol. A dollar sign is allowed only in
 * this position.
 */
function isPrefix(character: string): boolean {
  return character === '$' || QUOTES.has(character);
}
