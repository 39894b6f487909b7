// Regular expressions for the spellings that `parseSymbol` reads, for the API description. They use
// only syntax that JSON Schema recommends, so that every tool can evaluate them.

const LETTER = '[A-Za-z]';
const SEPARATOR = '[-/_ .]';
const SERIES = `(?:${SEPARATOR}?${LETTER})?`;
const SUFFIXES = [
  LETTER,
  `${word('P')}(?:${word('R')})?${SERIES}`,
  `${word('W')}[STst]${SERIES}`,
  `${word('U')}[NTnt]`,
  `${word('R')}(?:[ITWitw]|${SEPARATOR}${word('WI')})`,
  word('WI'),
].join('|');
const SYMBOL =
  `(?:${word('US')}: ?)?${LETTER}[A-Za-z0-9]{0,7}` +
  `(?:${SEPARATOR}(?:${SUFFIXES})|\\^${SERIES})?(?:\\.${word('US')})?`;

const ITEM = `(?:${SYMBOL}|@[A-Za-z0-9][A-Za-z0-9_-]{0,39})`;

/** Matches a ticker symbol in any spelling. `N/A` matches as well, although it is no symbol. */
export const SYMBOL_PATTERN = `^${SYMBOL}$`;
/** Matches a comma-separated list of symbols and references to watchlists. */
export const SYMBOLS_PATTERN = `^${ITEM}(?:,${ITEM})*$`;

/** Returns a pattern for a word in either case. */
function word(letters: string): string {
  return [...letters].map((letter) => `[${letter}${letter.toLowerCase()}]`).join('');
}
