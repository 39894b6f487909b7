import { parseSymbol } from '../../domain/symbol.ts';

/** Symbols that people pasted, in whatever spelling and with whatever between them. */
export interface ParsedSymbols {
  /** In their one spelling, each once, in alphabetical order. */
  symbols: string[];
  /** Those of them that were given more than once, in whatever spellings, in the same order. */
  repeated: string[];
  /** Words that can be no symbol, as they were written, each once. */
  invalid: string[];
}

/** Words beyond this many are not even looked at; the body of a request holds no more. */
const INVALID_MAX = 100;

/**
 * Reads a list of symbols: an array, or text with commas, semicolons, blanks, tabs or line ends between
 * them, with quotes and dollar signs as spreadsheets and messages have them. What is one symbol by
 * itself in an array is one, with a blank in it too: `BRK B` is neither BRK nor B.
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

/** By hand: a pattern of quotes at the end tries each of many anew, a whole body of them for minutes. */
function trimQuotes(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && isPrefix(word.charAt(start))) start += 1;
  while (end > start && QUOTES.has(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}

/** What stands in front of a symbol: the dollar sign does only there. */
function isPrefix(character: string): boolean {
  return character === '$' || QUOTES.has(character);
}
