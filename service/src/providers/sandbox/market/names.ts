import { aspect, noise, noiseInt } from './noise.ts';

/**
 * Invented names and tickers. Both depend on the company's number alone, not on the seed, so that
 * they could be held once against the list of real tickers and hold for every market.
 *
 * A ticker is the three leading consonants of the name and `QZ`: no security listed in the United
 * States carries that ending, and nothing that ends so can be taken for a real one.
 */

const CONSONANTS = 'BCDFGHJKLMNPRSTVWYZ';
/** The largest number of companies: every triple of consonants once. */
export const COMPANIES_MAX = CONSONANTS.length ** 3;

/** Coprime to the number of triples, and far from a power of it: neighbours look unlike. */
const STRIDE = 2741;
const VOWELS = ['a', 'e', 'i', 'o', 'u'] as const;
const ENDINGS = ['eth', 'ovar', 'unda', 'iqua', 'ostra', 'elph', 'urn', 'avex', 'olm', 'issa'];
const FORMS = ['Corp.', 'Inc.', 'Holdings', 'Group', 'Co.', 'Ltd.'];

export interface Naming {
  symbol: string;
  /** The invented word alone, such as `Tovarelph`. */
  stem: string;
}

/** Symbol and stem of company `index`, unique below `COMPANIES_MAX`. */
export function namingOf(index: number): Naming {
  const triple = (index * STRIDE + 1234) % COMPANIES_MAX;
  const base = CONSONANTS.length;
  const places = [
    Math.floor(triple / base / base),
    Math.floor(triple / base) % base,
    triple % base,
  ];
  const letters = places.map((place) => CONSONANTS.charAt(place));
  const syllables = letters.map((letter, at) => letter + (at < 2 ? vowelOf(index, at) : ''));
  const ending = ENDINGS[noiseInt(ENDINGS.length, 0, aspect.name, index, 9)] ?? '';
  const word = (syllables.join('') + ending).toLowerCase();
  return { symbol: `${letters.join('')}QZ`, stem: word.charAt(0).toUpperCase() + word.slice(1) };
}

/** The full name: stem, a word of the trade, a legal form. */
export function companyName(index: number, trade: string): string {
  const form = FORMS[noiseInt(FORMS.length, 0, aspect.name, index, 10)] ?? 'Corp.';
  return `${namingOf(index).stem} ${trade} ${form}`;
}

function vowelOf(index: number, at: number): string {
  return VOWELS[Math.floor(noise(0, aspect.name, index, at) * VOWELS.length)] ?? 'a';
}
