import { parseSymbol } from '../domain/symbol.ts';

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
 * Reads a list of symbols: an array, or text with commas, semicolons, tabs or line ends between
 * them, with quotes and dollar signs as spreadsheets and messages have them.
 */
export function readSymbols(given: string | readonly string[]): PastedSymbols {
  const words = (typeof given === 'string' ? [given] : given)
    .flatMap((text) => text.split(/[\s,;|]+/))
    .map((word) => word.replace(/^["'`$“”‘’]+|["'`“”‘’]+$/g, ''))
    .filter((word) => word !== '');
  const symbols = new Set<string>();
  const repeated = new Set<string>();
  const refused = new Set<string>();
  for (const word of words) {
    const symbol = parseSymbol(word);
    if (symbol !== null) (symbols.has(symbol) ? repeated : symbols).add(symbol);
    else if (refused.size < REFUSED_SHOWN_MAX) refused.add(word.slice(0, 40));
  }
  return {
    ...{ symbols: [...symbols].sort(), repeated: [...repeated].sort() },
    refused: [...refused],
  };
}
