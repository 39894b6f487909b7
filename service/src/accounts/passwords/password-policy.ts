import { estimateGuesses } from './password-strength.ts';

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
/**
 * Returns why a password is rejected, as a message for the person who chose it, or null if it is
 * accepted. The strength is that of zxcvbn: the cheapest way to build the password from leaked
 * passwords, words, the person's own address, keyboard walks, sequences, dates and repetitions.
 * Rejects with `QueueFullError` if too many passwords are waiting.
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
  const start = letters.slice(0, ESTIMATED_LENGTH_MAX).join('');
  const guessesLog10 = await estimateGuesses({ password: start, words: ownWords });
  return guessesLog10 < GUESSES_LOG10_MIN
    ? 'this password is easy to guess; use a phrase of your own'
    : null;
}
