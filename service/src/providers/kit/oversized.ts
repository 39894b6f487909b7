/**
 * Texts that would become far more in memory than they are on the wire: brackets upon brackets, or
 * lines and cells without anything in them. Measured on 16 MiB of each: 600 to 1,000 MiB and up to
 * 13 s, in which nothing else is served. They are told by counting, before anything is made of them.
 */

/** Below this many characters whatever it becomes can be borne. */
const CHECKED_LENGTH_MIN = 512 * 1024;
/** No answer of a source is a tenth as deep. */
const DEPTH_MAX = 200;
/** On average; the tersest lists of sources have twice as many. */
const CHARACTERS_PER_BRACKET_MIN = 16;
const CHARACTERS_PER_CELL_MIN = 3;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a text that may be JSON has too many brackets, or too many within each other. */
export function isOversizedJson(text: string): boolean {
  if (text.length <= CHECKED_LENGTH_MIN) return false;
  const bracketsMax = text.length / CHARACTERS_PER_BRACKET_MIN;
  let brackets = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      brackets += 1;
      depth += 1;
      if (depth > DEPTH_MAX || brackets > bracketsMax) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** Whether a text of comma-separated values is hardly more than commas and ends of lines. */
export function isOversizedCsv(text: string): boolean {
  if (text.length <= CHECKED_LENGTH_MIN) return false;
  const cellsMax = text.length / CHARACTERS_PER_CELL_MIN;
  let cells = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const endsLine = code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a);
    if (code === 0x2c || endsLine) cells += 1;
    if (cells > cellsMax) return true;
  }
  return false;
}

/** Where the closing quote stands; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
