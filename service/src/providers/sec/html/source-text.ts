/** Text with single blanks between its words, and the position of each word in the source. */
export interface SourceText {
  text: string;
  words: readonly SourceWord[];
}

export interface SourceWord {
  /** Position in the text. */
  at: number;
  /** Position in the source, in UTF-16 code units. */
  offset: number;
}

/** Characters without a width: they are layout and would break words and numbers. */
const INVISIBLE = /\p{Cf}/gu;
const WORD = /[^\s\u0000-\u0020\u0085\u00a0]+/g;

/** Collects pieces of text, as a parser reports them, into one text. */
export class TextCollector {
  private text = '';
  private words: SourceWord[] = [];
  private isBlankPending = false;

  add(piece: string, offset: number): void {
    let end = 0;
    for (const match of piece.matchAll(WORD)) {
      const word = match[0].replace(INVISIBLE, '');
      if (match.index > end) this.isBlankPending = true;
      end = match.index + match[0].length;
      if (word === '') continue;
      if (this.isBlankPending && this.text !== '') this.text += ' ';
      this.isBlankPending = false;
      this.words.push({ at: this.text.length, offset: offset + match.index });
      this.text += word;
    }
    if (end < piece.length) this.isBlankPending = true;
  }

  addBlank(): void {
    this.isBlankPending = true;
  }

  /** Returns the text and starts a new one. */
  take(): SourceText {
    const taken = { text: this.text, words: this.words };
    this.text = '';
    this.words = [];
    this.isBlankPending = false;
    return taken;
  }
}

/** Returns the position in the source of the character at this position of the text. */
export function sourceOffset({ words }: SourceText, at: number): number {
  let low = 0;
  let high = words.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((words[middle]?.at ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const word = words[low];
  return word === undefined ? 0 : word.offset + Math.max(0, at - word.at);
}
