/** Spellings of a name: `two-words`, `twoWords`, `TwoWords`, `Two words`. */
export interface Names {
  kebab: string;
  camel: string;
  pascal: string;
  title: string;
}

const SHAPE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const LENGTH_MAX = 40;

/**
 * Returns the spellings of a name, or null if it is not in kebab case: lower-case words and digits
 * joined by single hyphens.
 */
export function spellNames(kebab: string): Names | null {
  if (!SHAPE.test(kebab) || kebab.length > LENGTH_MAX) return null;
  const words = kebab.split('-');
  const pascal = words.map(capitalize).join('');
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return { kebab, camel, pascal, title: capitalize(words.join(' ')) };
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
