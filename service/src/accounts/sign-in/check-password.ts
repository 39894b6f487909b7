import type { Transaction } from '../../storage/db.ts';
import type { AccountsDeps } from '../deps.ts';
import { verifyPassword } from '../passwords/password-hash.ts';
import {
  type Credentials,
  findPersonByEmail,
  lockPerson,
  type Person,
} from '../people/person-store.ts';
import { takeTry, type Try } from './attempt-limiter.ts';
import { isKnownAddress } from './known-address.ts';

export interface SignInDeps extends AccountsDeps {
  log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** Too many tries: come again after that time, rounded up. */
export interface TooMany {
  kind: 'too-many';
  retryAfterSeconds: number;
}

export type CheckedPassword =
  | { kind: 'right'; person: Person & Credentials; attempt: Try; isOutdated: boolean }
  | { kind: 'refused' }
  | TooMany;

/**
 * Whether that is the password of that address. It takes as long for nobody's address as for
 * somebody's, and nothing tells a wrong password from an unknown or a disabled person.
 */
export async function checkPassword(
  deps: SignInDeps,
  given: { emailKey: string; password: string; address: string },
): Promise<CheckedPassword> {
  const { db, clock, log } = deps;
  const { emailKey, address } = given;
  const now = clock.now();
  const person = await findPersonByEmail(db, emailKey);
  const known = await isKnownAddress(db, person?.id ?? '', address, now);
  const attempt = { emailKey, address, isKnownAddress: known };
  const wait = await takeTry(db, attempt, now);
  if (wait !== null) {
    log.info({ person: person?.id ?? null, address }, 'sign-in refused: too many tries');
    return tooMany(wait);
  }
  const hash = person?.disabledAt === null ? person.passwordHash : null;
  const { isRight, isOutdated } = await verifyPassword(given.password, hash);
  if (isRight && person !== null) return { kind: 'right', person, attempt, isOutdated };
  log.info({ person: person?.id ?? null, address }, 'sign-in refused');
  return { kind: 'refused' };
}

export function tooMany({ retryAfterMs }: { retryAfterMs: number }): TooMany {
  return { kind: 'too-many', retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) };
}

/**
 * The person whose password was found right, locked, if nothing that it was judged by has changed
 * since: null when the password or the second factor is another by now, or the person is disabled or
 * gone. Hashing takes long enough for a new password to come in between.
 */
export async function lockUnchanged(
  tx: Transaction,
  judged: Person & Credentials,
): Promise<(Person & Credentials) | null> {
  const person = await lockPerson(tx, judged.id);
  if (person === null || person.disabledAt !== null) return null;
  const isUnchanged =
    person.passwordHash === judged.passwordHash &&
    person.hasSecondFactor === judged.hasSecondFactor &&
    (!person.hasSecondFactor || person.totpSecret === judged.totpSecret);
  return isUnchanged ? person : null;
}
