import { COMMON_PARTS } from './common-passwords.ts';

/** Length is the only requirement; there are no composition rules. */
const LENGTH_MIN = 15;
/** Hashing a longer password would take more time without adding security. */
const LENGTH_MAX = 256;
/** A password with more parts than this is accepted as a phrase, however common its words are. */
const PARTS_MAX = 3;

/**
 * Returns why a password is rejected, as a message for the person who chose it, or null if it is
 * accepted.
 */
export function passwordProblem(password: string, person: { email: string }): string | null {
  const letters = [...password.normalize('NFKC')];
  if (letters.length < LENGTH_MIN) return `a password has at least ${LENGTH_MIN} characters`;
  if (letters.length > LENGTH_MAX) return `a password has at most ${LENGTH_MAX} characters`;
  const [name = '', domain = ''] = person.email.toLowerCase().split('@');
  const ownWords = [name, domain, domain.split('.')[0] ?? ''].map(normalizeWord);
  const isCommon =
    countParts(normalize(letters), new Set([...COMMON_WORDS, ...ownWords])) <= PARTS_MAX;
  return isCommon ? 'this password is easy to guess; use a phrase of your own' : null;
}

/** Removes case, spaces and punctuation, because they add little strength. */
function normalize(letters: readonly string[]): string {
  return letters
    .join('')
    .toLowerCase()
    .replaceAll(/[\s\p{P}\p{S}]+/gu, '');
}

function normalizeWord(part: string): string {
  return normalize([...part]);
}

const COMMON_WORDS = COMMON_PARTS.map(normalizeWord);

/**
 * Returns the smallest number of distinct parts that make up the whole text. A part is a known
 * part, a number of one or two digits, or a run of equal or neighboring characters (`aaaa`,
 * `4567`). Returns infinity if the text contains anything else or too many parts. A repeated part
 * is counted once. The time is at most quadratic in the length, because the input is untrusted.
 */
function countParts(text: string, knownParts: ReadonlySet<string>): number {
  const longest = Math.max(...Array.from(knownParts, (part) => part.length));
  const best: (ReadonlySet<string> | null)[] = [new Set()];
  // For each step, the start of the longest run that ends at `end`.
  let runs = RUN_STEPS.map((step) => ({ step, start: 0 }));
  for (let end = 1; end <= text.length; end++) {
    const step = end < 2 ? null : text.charCodeAt(end - 1) - text.charCodeAt(end - 2);
    runs = runs.map((run) => (run.step === step ? run : { ...run, start: end - 1 }));
    const runStart = Math.min(...runs.map(({ start }) => start));
    let fewest: ReadonlySet<string> | null = null;
    for (let start = Math.min(runStart, Math.max(0, end - longest)); start < end; start++) {
      const partsBefore = best[start] ?? null;
      if (partsBefore === null) continue;
      const part = text.slice(start, end);
      const isRun = start >= runStart && end - start >= RUN_LENGTH_MIN;
      if (!isRun && !knownParts.has(part) && !/^\d{1,2}$/.test(part)) continue;
      const size = partsBefore.has(part) ? partsBefore.size : partsBefore.size + 1;
      // A password with more parts is accepted as a phrase anyway.
      if (size > PARTS_MAX || size >= (fewest?.size ?? Infinity)) continue;
      fewest = new Set([...partsBefore, part]);
    }
    best[end] = fewest;
  }
  return best[text.length]?.size ?? Infinity;
}

/** Steps between the characters of a run: the same, the next or the previous character. */
const RUN_STEPS = [0, 1, -1] as const;
const RUN_LENGTH_MIN = 3;
