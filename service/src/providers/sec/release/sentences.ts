import type { SourceText } from '../html/source-text.ts';

/** A sentence of a passage, with its position in the passage. */
export interface Sentence {
  text: string;
  start: number;
  passage: SourceText;
}

/** Longer passages are legal notices; their end holds no results. */
const PASSAGE_LENGTH_MAX = 6000;
/** An initial, an abbreviation such as `p.m.` or a company's `Inc.` does not end a sentence. */
const BREAK =
  /(?<!\b(?:[A-Z]|[ap]\.m|Inc|Corp|Co|Ltd|No|vs|U\.S|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec))[.;!?]["”’)]*\s+(?=[A-Z"“(•])|\s[•·]\s/g;

export function sentencesOf(passage: SourceText): Sentence[] {
  const text = passage.text.slice(0, PASSAGE_LENGTH_MAX);
  const ends = [...text.matchAll(BREAK)].map((match) => match.index + match[0].length);
  let start = 0;
  return [...ends, text.length].flatMap((end) => {
    const sentence = { text: text.slice(start, end), start, passage };
    start = end;
    return sentence.text.trim() === '' ? [] : [sentence];
  });
}
