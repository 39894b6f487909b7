import { parseSymbol } from '../../domain/symbol.ts';

/** Symbols that people pasted, in whatever spelling and with whatever between them. */
export interface PastedSymbols {
  /** In their one spelling, each once, in alphabetical order. */
  symbols: string[];
  /** Those of them that were given more than once, in whatever spellings, in the same order. */
  repeated: string[];
  /** Words that can be no symbol, as they were written, each once. */
  refused: string[];
}

/** Words beyond this many are not even looked at; the body of a request holds no more. */
const REFUSED_SHOWN_MAX = 100;

/**
 * Reads a list of symbols: an array, or text with commas, semicolons, blanks, tabs or line ends between
 * them, with quotes and dollar signs as spreadsheets and messages have them. What is one symbol by
 * itself in an array is one, with a blank in it too: `BRK B` is neither BRK nor B.
 */
export function readSymbols(given: string | readonly string[]): PastedSymbols {
  const words = typeof given === 'string' ? wordsOf(given) : given.flatMap(wordsOfMember);
  const symbols = new Set<string>();
  const repeated = new Set<string>();
  const refused = new Set<string>();
  for (const word of words) {
    const symbol = parseSymbol(word);
    if (symbol !== null) (symbols.has(symbol) ? repeated : symbols).add(symbol);
    else if (refused.size < REFUSED_SHOWN_MAX) refused.add(word.slice(0, 40));
  }
  return {
    symbols: [...symbols].sort(),
    repeated: [...repeated].sort(),
    refused: [...refused],
  };
}

function wordsOfMember(text: string): string[] {
  const whole = unquoted(text.trim());
  return parseSymbol(whole) === null ? wordsOf(text) : [whole];
}

function wordsOf(text: string): string[] {
  return text
    .split(/[\s,;|]+/)
    .map(unquoted)
    .filter((word) => word !== '');
}

const QUOTES = new Set(`"'\`“”‘’`);

/** By hand: a pattern of quotes at the end tries each of many anew, a whole body of them for minutes. */
function unquoted(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && isBefore(word.charAt(start))) start += 1;
  while (end > start && QUOTES.has(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}

/** What stands in front of a symbol: the dollar sign does only there. */
function isBefore(character: string): boolean {
  return character === '$' || QUOTES.has(character);
}
