import { foldCompanyName, wordsOf } from './company-name.ts';
import { issuerName } from './issuer-name.ts';

/**
 * `same`: two spellings of one name. `similar`: one name contains the other, as after a
 * reorganization. `conflicting`: the names differ in a number, as for the funds of one sponsor.
 */
export type Likeness = 'same' | 'similar' | 'different' | 'conflicting';

/** Words that companies add or drop when they reorganize, and that do not identify them. */
const LOOSE_WORDS: ReadonlySet<string> = new Set(
  'holdings holding group international new american depositary shares ads adr'.split(' '),
);
/** Roman numbers of companies in a series, such as the funds of one sponsor. */
const ROMAN = 'i ii iii iv v vi vii viii ix x xi xii'.split(' ');
/** Explanations that lists append to a name after, or in place of, the kind of security. */
const EXPLANATION = /[\s(]+(?:sponsored|rights? that|trading under)\b.*$/i;
/** The place of incorporation in the spelling of the SEC, as in `Northgate Corp /DE/`. */
const PLACE = /\s*\/[A-Z]{2,4}\/?\s*$/i;
/** Shorter names, such as `First`, may begin the names of many companies. */
const PART_LENGTH_MIN = 6;
const STEM_LENGTH_MIN = 4;

/** Compares two company names as sources spell them, with or without a security description. */
export function likenessOf(a: string, b: string): Likeness {
  const [first, second] = [identityOf(a), identityOf(b)];
  if (first === null || second === null) return 'different';
  const isSimilar = isPart(first, second) || isPart(second, first);
  if (first.seriesNumber !== second.seriesNumber) {
    return isSimilar || first.compact === second.compact ? 'conflicting' : 'different';
  }
  if (first.compact === second.compact) return 'same';
  return isSimilar ? 'similar' : 'different';
}

/** Returns whether the first word of one name extends that of the other. */
export function haveCommonStem(a: string, b: string): boolean {
  const [first = '', second = ''] = [a, b].map((name) => identityOf(name)?.words[0] ?? '');
  const [short = '', long = ''] = [first, second].toSorted((x, y) => x.length - y.length);
  return short.length >= STEM_LENGTH_MIN && short !== long && long.startsWith(short);
}

/** Returns whether all words of a name are also in the other, as after a merger of both companies. */
export function isWordsOf(name: string, other: string): boolean {
  const [words = [], all = []] = [name, other].map((each) => identityOf(each)?.words);
  return words.length > 0 && words.every((word) => all.includes(word));
}

/** Returns whether a company is called like its symbol. */
export function isNamedAfter(name: string, symbol: string): boolean {
  return identityOf(name)?.compact === symbol.toLowerCase();
}

/** Returns whether a text has the name of a company, however it writes the legal form. */
export function isNamedIn(text: string, name: string): boolean {
  const identity = identityOf(name);
  if (identity === null || identity.words.length === 0) return false;
  const words = wordsOf(text);
  if (identity.compact.length >= PART_LENGTH_MIN && words.join('').includes(identity.compact)) {
    return true;
  }
  return words.some((_, start) =>
    identity.words.every((word, index) => words[start + index] === word),
  );
}

/** Returns the closest likeness of a name to any of the others. */
export function bestLikeness(name: string, others: readonly string[]): Likeness {
  const found = new Set(others.map((other) => likenessOf(name, other)));
  const ranked: readonly Likeness[] = ['same', 'similar', 'conflicting', 'different'];
  return ranked.find((likeness) => found.has(likeness)) ?? 'different';
}

interface NameIdentity {
  /** Words without legal forms and series numbers. */
  words: readonly string[];
  seriesNumber: string;
  /** The words without separators: `ExxonMobil` and `Exxon Mobil` are equal. */
  compact: string;
}

function identityOf(name: string): NameIdentity | null {
  const folded = foldCompanyName(issuerName(name.replace(PLACE, '').replace(EXPLANATION, '')));
  if (folded === null) return null;
  const all = folded.split('-');
  const telling = all.filter((word) => !LOOSE_WORDS.has(word));
  const numbered = telling.length > 0 ? telling : all;
  const words = numbered.filter((word) => numberOf(word) === null);
  const seriesNumber = numbered.flatMap((word) => numberOf(word) ?? []).join(' ');
  return { words, seriesNumber, compact: words.join('') };
}

/** Returns the number in a series; null for a word. */
function numberOf(word: string): number | null {
  if (/^\d$/.test(word)) return Number(word);
  const index = ROMAN.indexOf(word);
  return index === -1 ? null : index + 1;
}

/** Returns whether all words of the first name begin the second name. */
function isPart(part: NameIdentity, whole: NameIdentity): boolean {
  if (part.words.length >= whole.words.length || part.compact.length < PART_LENGTH_MIN)
    return false;
  return part.words.every((word, index) => word === whole.words[index]);
}
