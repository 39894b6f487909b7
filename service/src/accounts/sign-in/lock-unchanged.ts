import type { Transaction } from '../../storage/db.ts';
import { type Credentials, lockPerson, type Person } from '../people/person-store.ts';

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
