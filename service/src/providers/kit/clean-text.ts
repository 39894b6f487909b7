import { isEmptyMark } from '../../domain/dirty-value-error.ts';

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
  reg: '®',
  trade: '™',
  copy: '©',
  eacute: 'é',
  egrave: 'è',
  ouml: 'ö',
  uuml: 'ü',
  auml: 'ä',
  ntilde: 'ñ',
  ccedil: 'ç',
};
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;
const TAG = /<\/?[a-zA-Z!][^<>]*>/g;
const CONTROLS = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu;

/**
 * Cleans display text: decodes HTML entities (up to twice, since sources encode twice), removes
 * tags and control characters, and collapses and trims whitespace. Returns null if nothing remains,
 * or only a placeholder for "no value".
 */
export function cleanText(text: string): string | null {
  const decoded = decodeEntities(decodeEntities(text));
  const plain = decoded.replace(TAG, ' ').replace(CONTROLS, ' ').trim();
  return isEmptyMark(plain) ? null : plain;
}

/** Decodes one layer of HTML entities; unknown entities stay unchanged. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED_ENTITIES[name] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return isCharacter(code) ? String.fromCodePoint(code) : entity;
  });
}

/** Decodes a URL component. Returns an empty string if the percent encoding is invalid. */
export function decodeUrlComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/**
 * Returns true if both PostgreSQL and JSON can store the text, which requires no NUL and no lone
 * surrogate.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Returns the text with every unstorable character replaced by U+FFFD. */
export function toStorableText(text: string): string {
  return isStorableText(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
}
