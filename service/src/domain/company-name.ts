/** Legal forms, which don't identify a company. */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  (
    'inc incorporated corp corporation co company ltd limited llc llp lp plc ag sa nv bv se ' +
    'ab asa spa srl gmbh kk pte pty the'
  ).split(' '),
);
/**
 * The place of incorporation, which company registers append after a slash: `Melar Acquisition
 * Corp. I/Cayman`.
 */
const PLACE = /\/[^/]*$/;
const LENGTH_MAX = 120;

/**
 * Normalizes a company name so that the spellings from two sources are equal: lower case, without
 * accents, punctuation or legal form, and with words joined by hyphens. Returns null if nothing
 * remains.
 */
export function foldCompanyName(name: string): string | null {
  const words = wordsOf(name.replace(PLACE, ''));
  const telling = words.filter((word) => !LEGAL_FORMS.has(word));
  const folded = (telling.length > 0 ? telling : words).join('-').slice(0, LENGTH_MAX);
  return folded === '' ? null : folded;
}

/** Returns the words of a text in lower case, without accents and punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replaceAll('&', ' and ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
