/**
 * Ticker symbols. Sources spell one security in many ways (`BRK.B`, `BRK/B`, `BRK-B`; `BAC^K`,
 * `BAC-PK`, `BAC.PRK`). Internally, each security has one canonical spelling:
 *
 * class share `BRK.B`, preferred `BAC.PR.K` (`HWM.PR` when it has no series), warrant `X.WS` or
 * `X.WS.A`, unit `X.U`, right `X.R`, when-issued `X.WI`.
 */

export type SymbolKind = 'share' | 'preferred' | 'warrant' | 'unit' | 'right' | 'when-issued';

const TEXT_LENGTH_MAX = 24;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
const ROOT_AND_SUFFIX = /^([A-Z][A-Z0-9]{0,7})(.*)$/;

/** Suffixes, with dots as separators, and their canonical form. The first match applies. */
const SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/^$/, ''],
  [/^\.PR?$/, '.PR'],
  [/^\.PR?\.?([A-Z])$/, '.PR.$1'],
  [/^\.W[ST]$/, '.WS'],
  [/^\.W[ST]\.?([A-Z])$/, '.WS.$1'],
  [/^\.(?:U|UN|UT)$/, '.U'],
  [/^\.(?:R|RI|RT)$/, '.R'],
  [/^\.(?:RW|R\.WI)$/, '.R.WI'],
  [/^\.WI$/, '.WI'],
  [/^\.([A-Z])$/, '.$1'],
];

/**
 * Returns the canonical symbol, or null if the text cannot be a symbol. The caller must decode
 * percent-encoding. `P` is never a class letter, because it marks a preferred share. `-PR` with a
 * hyphen is series R, because sources that use hyphens join mark and series. `.PR` is a preferred
 * share without a series.
 */
export function parseSymbol(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > TEXT_LENGTH_MAX || !PRINTABLE_ASCII.test(trimmed)) return null;
  const upper = trimmed.toUpperCase();
  if (upper === 'N/A') return null;
  const bare = upper.replace(/^US: ?/, '').replace(/(?<=.)\.US$/, '');
  const match = ROOT_AND_SUFFIX.exec(bare);
  if (match === null) return null;
  const suffix = canonicalSuffix(match[2] ?? '');
  return suffix === null ? null : `${match[1]}${suffix}`;
}

/** Returns true if the text is a symbol in canonical spelling. */
export function isCanonicalSymbol(text: string): boolean {
  return parseSymbol(text) === text;
}

/**
 * Returns the kind of security according to the suffix of a canonical symbol. Nasdaq's fifth
 * letters (`ABCDW`) aren't suffixes and look like part of the symbol, so such securities are
 * treated as shares here.
 */
export function symbolKind(symbol: string): SymbolKind {
  if (symbol.endsWith('.WI')) return 'when-issued';
  if (/\.PR(\.[A-Z])?$/.test(symbol)) return 'preferred';
  if (/\.WS(\.[A-Z])?$/.test(symbol)) return 'warrant';
  if (symbol.endsWith('.U')) return 'unit';
  return symbol.endsWith('.R') ? 'right' : 'share';
}

function canonicalSuffix(suffix: string): string | null {
  if (suffix === '-PR') return '.PR.R';
  const dotted = suffix.replace(/^\^/, '.PR').replaceAll(/[-/_ ]/g, '.');
  for (const [shape, canonical] of SUFFIXES) {
    if (shape.test(dotted)) return dotted.replace(shape, canonical);
  }
  return null;
}
