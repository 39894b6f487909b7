import { COMMON_PARTS } from './common-passwords.ts';

/** A long password is a good one; what it is made of is its owner's business. */
const LENGTH_MIN = 15;
/** More costs time and gains nothing. */
const LENGTH_MAX = 256;
/** A password of more parts than this is a phrase, however plain its words are. */
const PARTS_MAX = 3;

/** Why a password will not do, for the one who chose it; null when it will. */
export function passwordProblem(password: string, person: { email: string }): string | null {
  const letters = [...password.normalize('NFKC')];
  if (letters.length < LENGTH_MIN) return `a password has at least ${LENGTH_MIN} characters`;
  if (letters.length > LENGTH_MAX) return `a password has at most ${LENGTH_MAX} characters`;
  const [name = '', domain = ''] = person.email.toLowerCase().split('@');
  const ownWords = [name, domain, domain.split('.')[0] ?? ''].map(normaliseWord);
  const isCommon =
    countParts(normalise(letters), new Set([...COMMON_WORDS, ...ownWords])) <= PARTS_MAX;
  return isCommon ? 'this password is easily guessed: use a phrase of your own' : null;
}

/** Case, spaces and punctuation hide nothing. */
function normalise(letters: readonly string[]): string {
  return letters
    .join('')
    .toLowerCase()
    .replaceAll(/[\s\p{P}\p{S}]+/gu, '');
}

function normaliseWord(part: string): string {
  return normalise([...part]);
}

const COMMON_WORDS = COMMON_PARTS.map(normaliseWord);

/**
 * The least number of different known parts, with one or two digits and with runs of one
 * character or of neighbours (`aaaa`, `4567`), that the text is made of from end to end; infinite when
 * it is of anything else or of more than a few. Takes the square of the length at most: it runs on what
 * strangers send.
 * The same part again costs nothing.
 */
function countParts(text: string, knownParts: ReadonlySet<string>): number {
  const longest = Math.max(...Array.from(knownParts, (part) => part.length));
  const best: (ReadonlySet<string> | null)[] = [new Set()];
  // Where the longest run begins that ends here, for each step.
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
      // More parts than that come to a phrase whatever follows.
      if (size > PARTS_MAX || size >= (fewest?.size ?? Infinity)) continue;
      fewest = new Set([...partsBefore, part]);
    }
    best[end] = fewest;
  }
  return best[text.length]?.size ?? Infinity;
}

/** The same character again, the next one, the one before. */
const RUN_STEPS = [0, 1, -1] as const;
const RUN_LENGTH_MIN = 3;
