import { draws, randomInt, randomUnit } from './random.ts';

/**
 * Fictional names and tickers. Both depend only on the company's number, not on the seed, so a
 * single check against the list of real tickers covers every market.
 *
 * A ticker consists of the first three (or four) consonants of the name, followed by `QZ`. No
 * security listed in the United States has a ticker with that ending.
 */

const CONSONANTS = 'BCDFGHJKLMNPRSTVWYZ';
/** Number of three-consonant combinations; companies beyond this number have four consonants. */
export const SHORT_NAMES = CONSONANTS.length ** 3;
/** The largest number of companies. */
export const COMPANIES_MAX = 12_000;

/**
 * Coprime to the number of combinations and far from a power of it, so that neighboring names look
 * different.
 */
const STRIDE = 2741;
const VOWELS = ['a', 'e', 'i', 'o', 'u'] as const;
const ENDINGS = ['eth', 'ovar', 'unda', 'iqua', 'ostra', 'elph', 'urn', 'avex', 'olm', 'issa'];
const FORMS = ['Corp.', 'Inc.', 'Holdings', 'Group', 'Co.', 'Ltd.'];

export interface CompanyNaming {
  symbol: string;
  /** The invented word alone, such as `Tovarelph`. */
  stem: string;
}

/**
 * Returns the symbol and stem for the company with number `index`. They are unique for numbers
 * below `COMPANIES_MAX`.
 */
export function namingOf(index: number): CompanyNaming {
  const letters = lettersOf(index);
  const last = letters.length - 1;
  const syllables = letters.map((letter, at) => letter + (at < last ? vowelOf(index, at) : ''));
  const ending = ENDINGS[randomInt(ENDINGS.length, 0, draws.name, index, 9)] ?? '';
  const word = (syllables.join('') + ending).toLowerCase();
  return { symbol: `${letters.join('')}QZ`, stem: word.charAt(0).toUpperCase() + word.slice(1) };
}

function lettersOf(index: number): string[] {
  const base = CONSONANTS.length;
  const isShort = index < SHORT_NAMES;
  const number = (index * STRIDE + 1234) % (isShort ? SHORT_NAMES : SHORT_NAMES * base);
  const units = isShort ? [base ** 2, base, 1] : [base ** 3, base ** 2, base, 1];
  return units.map((unit) => CONSONANTS.charAt(Math.floor(number / unit) % base));
}

/** Returns the full name: the stem, an industry word and a legal form. */
export function companyName(index: number, trade: string): string {
  const form = FORMS[randomInt(FORMS.length, 0, draws.name, index, 10)] ?? 'Corp.';
  return `${namingOf(index).stem} ${trade} ${form}`;
}

function vowelOf(index: number, at: number): string {
  return VOWELS[Math.floor(randomUnit(0, draws.name, index, at) * VOWELS.length)] ?? 'a';
}
