/** English country names by ISO 3166-1 alpha-2 code. */

const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Country names used by sources that differ from the English names, normalized. */
const ALIASES = new Map(
  Object.entries({
    bahamas: 'BS',
    'british virgin islands': 'VG',
    "cote d'ivoire": 'CI',
    curacao: 'CW',
    'czech republic': 'CZ',
    'hong kong': 'HK',
    'ivory coast': 'CI',
    'korea, republic of': 'KR',
    macau: 'MO',
    'republic of korea': 'KR',
    'russian federation': 'RU',
    'st. lucia': 'LC',
    'taiwan, province of china': 'TW',
    turkey: 'TR',
    'united states of america': 'US',
    usa: 'US',
    'virgin islands, british': 'VG',
  }),
);

/** Withdrawn codes that share a successor's name, and codes that aren't countries. */
const NOT_COUNTRIES: ReadonlySet<string> = new Set(
  'AN BU CS DD DY EU EZ FX HV NH QO RH SU TP UK UN VD XA XB YD YU ZR ZZ'.split(' '),
);

let codesByName: Map<string, string> | undefined;

/** Returns a country's code by its English name in any case, or null if there is none. */
export function countryCodeOf(name: string): string | null {
  codesByName ??= namedCodes();
  const folded = name.trim().toLowerCase();
  return ALIASES.get(folded) ?? codesByName.get(folded) ?? null;
}

/** Returns a country's English name, or null for an unknown code. */
export function countryNameOf(code: string): string | null {
  return /^[A-Z]{2}$/.test(code) ? (NAMES.of(code) ?? null) : null;
}

/**
 * Returns a country's flag emoji, which consists of the code's two letters as regional indicators.
 */
export function countryEmojiOf(code: string): string {
  return String.fromCodePoint(...[...code].map((letter) => letter.charCodeAt(0) - 65 + 0x1f1e6));
}

function namedCodes(): Map<string, string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = new Map<string, string>();
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second;
      const name = NOT_COUNTRIES.has(code) ? null : countryNameOf(code);
      if (name !== null) codes.set(name.toLowerCase(), code);
    }
  }
  return codes;
}
