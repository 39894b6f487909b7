import type { Log } from '../../platform/log.ts';
import type { Transaction } from '../../storage/db.ts';
import type { AccountsDeps } from '../deps.ts';
import { verifyPassword } from '../passwords/password-hash.ts';
import {
  type Credentials,
  findPersonByEmail,
  lockPerson,
  type Person,
} from '../people/person-store.ts';
import { consumeAttempt, type Attempt } from './attempt-limiter.ts';
import { isKnownAddress } from './known-address.ts';

export interface SignInDeps extends AccountsDeps {
  log: Pick<Log, 'info'>;
}

/** Result of too many attempts. The time to wait is rounded up. */
export interface TooManyAttempts {
  kind: 'too-many';
  retryAfterSeconds: number;
}

export type PasswordCheck =
  | { kind: 'right'; person: Person & Credentials; attempt: Attempt; isOutdated: boolean }
  | { kind: 'refused' }
  | TooManyAttempts;

/**
 * Checks the password for an email address. The check takes equally long for unknown addresses, and
 * the result does not distinguish a wrong password from an unknown or disabled person.
 */
export async function checkPassword(
  deps: SignInDeps,
  input: { emailKey: string; password: string; address: string },
): Promise<PasswordCheck> {
  const { db, clock, log } = deps;
  const { emailKey, address } = input;
  const now = clock.now();
  const person = await findPersonByEmail(db, emailKey);
  const isKnown = await isKnownAddress(db, person?.id ?? '', address, now);
  const attempt = { emailKey, address, isKnownAddress: isKnown };
  const wait = await consumeAttempt(db, attempt, now);
  if (wait !== null) {
    log.info(
      { event: 'sign_in.rejected', person: person?.id ?? null, address },
      'sign-in rejected: too many attempts',
    );
    return tooManyAttempts(wait);
  }
  const hash = person?.disabledAt === null ? person.passwordHash : null;
  const { isCorrect, isOutdated } = await verifyPassword(
    input.password,
    hash,
    isKnown ? 'high' : 'normal',
  );
  if (isCorrect && person !== null) return { kind: 'right', person, attempt, isOutdated };
  log.info(
    { event: 'sign_in.rejected', person: person?.id ?? null, address },
    'sign-in rejected: wrong credentials',
  );
  return { kind: 'refused' };
}

export function tooManyAttempts({ retryAfterMs }: { retryAfterMs: number }): TooManyAttempts {
  return { kind: 'too-many', retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) };
}

/**
 * Locks the person whose password was verified. Returns null if the person was disabled or deleted,
 * or the password or second factor was changed, while the password was being hashed; hashing takes
 * long enough for that.
 */
export async function lockIfUnchanged(
  tx: Transaction,
  checked: Person & Credentials,
): Promise<(Person & Credentials) | null> {
  const person = await lockPerson(tx, checked.id);
  if (person === null || person.disabledAt !== null) return null;
  const isUnchanged =
    person.passwordHash === checked.passwordHash &&
    person.hasSecondFactor === checked.hasSecondFactor &&
    (!person.hasSecondFactor || person.totpSecret === checked.totpSecret);
  return isUnchanged ? person : null;
}
