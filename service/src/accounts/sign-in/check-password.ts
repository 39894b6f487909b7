import type { Log } from '../../platform/log.ts';
import type { Transaction } from '../../storage/db.ts';
import type { AccountsDeps } from '../deps.ts';
import { verifyPassword } from '../passwords/password-hash.ts';
import {
  type Credentials,
  findPeopleByEmail,
  lockPerson,
  type Person,
} from '../people/person-store.ts';
import {
  type Admission,
  type Attempt,
  type CodeAttempt,
  consumeAttempt,
} from './attempt-limiter.ts';
import { findWhoKnow } from './known-address.ts';

export interface SignInDeps extends AccountsDeps {
  log: Pick<Log, 'info'>;
}

/** Result of too many attempts. The time to wait is rounded up. */
export interface TooManyAttempts {
  kind: 'too-many';
  retryAfterSeconds: number;
}

export type PasswordCheck =
  | {
      kind: 'right';
      person: Person & Credentials;
      attempt: Attempt & CodeAttempt & Admission;
      isOutdated: boolean;
    }
  | { kind: 'refused' }
  | TooManyAttempts;

/**
 * Checks the password for an email address: whose of the people with this address it is, or whether it
 * is that of one person. The check takes equally long for unknown addresses, and the result does not
 * distinguish a wrong password from an unknown or disabled person.
 */
export async function checkPassword(
  deps: SignInDeps,
  input: { emailKey: string; password: string; address: string; personId?: string },
): Promise<PasswordCheck> {
  const { db, clock, log } = deps;
  const { emailKey, address, personId } = input;
  const now = clock.now();
  const people = (await findPeopleByEmail(db, emailKey)).filter(
    ({ id }) => personId === undefined || id === personId,
  );
  const ids = people.map(({ id }) => id);
  const logRejection = (reason: string) =>
    log.info(
      { event: 'sign_in.rejected', person: ids.length === 1 ? ids[0] : null, address },
      `sign-in rejected: ${reason}`,
    );
  const known = await findWhoKnow(db, ids, address, now);
  const attempt = { emailKey, address, isKnownAddress: known.size > 0 };
  const admission = await consumeAttempt(db, attempt, now);
  if ('retryAfterMs' in admission) {
    logRejection('too many attempts');
    return tooManyAttempts(admission);
  }
  const candidates = people.filter(
    ({ id, disabledAt }) => disabledAt === null && (admission.isForEveryone || known.has(id)),
  );
  const { index, isOutdated } = await verifyPassword(
    input.password,
    candidates.map(({ passwordHash }) => passwordHash),
    known.size > 0 ? 'high' : 'normal',
  );
  const person = index === null ? undefined : candidates[index];
  if (person !== undefined) {
    const isKnownAddress = known.has(person.id);
    const counted = { ...attempt, ...admission, personId: person.id, isKnownAddress };
    return { kind: 'right', person, attempt: counted, isOutdated };
  }
  logRejection('wrong credentials');
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
  const person = await lockPerson(tx, checked.id, checked.customerId);
  if (person === null || person.disabledAt !== null) return null;
  const isUnchanged =
    person.passwordHash === checked.passwordHash &&
    person.hasSecondFactor === checked.hasSecondFactor &&
    (!person.hasSecondFactor || person.totpSecret === checked.totpSecret);
  return isUnchanged ? person : null;
}
