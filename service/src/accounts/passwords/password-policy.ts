import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Length is the only requirement; there are no composition rules. */
const LENGTH_MIN = 15;
/** Hashing a longer password would take more time without adding security. */
const LENGTH_MAX = 256;
/**
 * A guesser who knows the common passwords and habits would need at least ten to the power of this
 * many guesses.
 */
const GUESSES_LOG10_MIN = 12;
/** Estimating takes time quadratic in the length, and a strong start is strong enough. */
const ESTIMATED_LENGTH_MAX = 64;
/** Words that people choose for a service like this one, and a well-known example of a phrase. */
const MORE_WORDS = ['afterbell', 'earnings', 'correct horse battery', 'correcthorsebattery'];

/**
 * Returns why a password is rejected, as a message for the person who chose it, or null if it is
 * accepted. The strength is that of zxcvbn: the cheapest way to build the password from leaked
 * passwords, words, the person's own address, keyboard walks, sequences, dates and repetitions.
 */
export async function passwordProblem(
  password: string,
  person: { email: string },
): Promise<string | null> {
  const letters = [...password.normalize('NFKC')];
  if (letters.length < LENGTH_MIN) return `a password has at least ${LENGTH_MIN} characters`;
  if (letters.length > LENGTH_MAX) return `a password has at most ${LENGTH_MAX} characters`;
  const [name = '', domain = ''] = person.email.toLowerCase().split('@');
  const ownWords = [person.email, ...[name, domain].flatMap((part) => [part, ...part.split('.')])];
  const { check } = await (estimator ??= createEstimator());
  const { guessesLog10 } = check(letters.slice(0, ESTIMATED_LENGTH_MAX).join(''), ownWords);
  return guessesLog10 < GUESSES_LOG10_MIN
    ? 'this password is easy to guess; use a phrase of your own'
    : null;
}

/** Loaded for the first password, because its lists take some megabytes. */
let estimator: Promise<Pick<ZxcvbnFactory, 'check'>> | null = null;

async function createEstimator(): Promise<Pick<ZxcvbnFactory, 'check'>> {
  const [{ ZxcvbnFactory: Estimator }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const zxcvbn = new Estimator({
    dictionary: { ...dictionary, more: MORE_WORDS },
    graphs: adjacencyGraphs,
  });
  return { check: (password, words) => zxcvbn.check(password, words) };
}
