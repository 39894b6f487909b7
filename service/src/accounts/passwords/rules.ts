import { COMMON_PARTS } from './common-passwords.ts';

/** A long password is a good one; what it is made of is its owner's business. */
const LENGTH_MIN = 15;
/** More costs time and gains nothing. */
const LENGTH_MAX = 256;
/** A password of more parts than this is a phrase, however plain its words are. */
const PARTS_MAX = 3;

/** Why a password will not do, for the one who chose it; null when it will. */
export function passwordMistake(password: string, person: { email: string }): string | null {
  const letters = [...password.normalize('NFKC')];
  if (letters.length < LENGTH_MIN) return `a password has at least ${LENGTH_MIN} characters`;
  if (letters.length > LENGTH_MAX) return `a password has at most ${LENGTH_MAX} characters`;
  const [name = '', domain = ''] = person.email.toLowerCase().split('@');
  const known = [...COMMON_PARTS, name, domain, domain.split('.')[0] ?? ''];
  const isCommon = countParts(plainOf(letters), new Set(known.map(wordOf))) <= PARTS_MAX;
  return isCommon ? 'this password is easily guessed: use a phrase of your own' : null;
}

/** Case, spaces and punctuation hide nothing. */
function plainOf(letters: readonly string[]): string {
  return letters
    .join('')
    .toLowerCase()
    .replaceAll(/[\s\p{P}\p{S}]+/gu, '');
}

function wordOf(part: string): string {
  return plainOf([...part]);
}

/**
 * The least number of different known parts, with one or two digits and with runs of one
 * character or of neighbours (`aaaa`, `4567`), that the text is made of from end to end; infinite when it is of anything else.
 * The same part again costs nothing.
 */
function countParts(text: string, known: ReadonlySet<string>): number {
  if (text === '') return 0;
  const best: (ReadonlySet<string> | null)[] = [new Set()];
  for (let end = 1; end <= text.length; end++) {
    let fewest: ReadonlySet<string> | null = null;
    for (let start = 0; start < end; start++) {
      const before = best[start] ?? null;
      if (before === null) continue;
      const part = text.slice(start, end);
      if (!known.has(part) && !/^\d{1,2}$/.test(part) && !isRun(part)) continue;
      const parts = new Set([...before, part]);
      if (fewest === null || parts.size < fewest.size) fewest = parts;
    }
    best[end] = fewest;
  }
  return best[text.length]?.size ?? Infinity;
}

/** Three or more of the same, or each the next (or the one before) of the last: `aaa`, `def`, `987`. */
function isRun(part: string): boolean {
  const codes = [...part].map((letter) => letter.codePointAt(0) ?? 0);
  if (codes.length < 3) return false;
  const step = (codes[1] ?? 0) - (codes[0] ?? 0);
  if (Math.abs(step) > 1) return false;
  return codes.every((code, at) => at === 0 || code - (codes[at - 1] ?? 0) === step);
}
