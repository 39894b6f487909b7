import { type AccountsDeps, type Invalid, invalid } from '../deps.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { consumeAccountAttempt } from '../sign-in/attempt-limiter.ts';
import { findPeopleByEmail } from './person-store.ts';

export type HashedPassword = { kind: 'hashed'; hash: string } | Invalid;

/**
 * Hashes a password that a person chose. Accounts with the same email address share the salt, so that
 * sign-in compares a password with all of them at the cost of one hash. A password that another of
 * these accounts has is rejected, because sign-in could not tell them apart. The answer confirms a
 * guess, so it counts as an attempt; when there are none left, nothing is compared.
 */
export async function hashNewPassword(
  { db, clock, random }: Pick<AccountsDeps, 'db' | 'clock' | 'random'>,
  input: { emailKey: string; password: string; personId?: string },
): Promise<HashedPassword> {
  const { emailKey, password, personId } = input;
  const isCompared = await consumeAccountAttempt(db, emailKey, clock.now());
  const people = await findPeopleByEmail(db, emailKey);
  const others = people.flatMap(({ id, passwordHash }) =>
    id === personId || passwordHash === null ? [] : [passwordHash],
  );
  const hash = await hashPassword(password, random, others);
  if (isCompared && others.includes(hash)) return PASSWORD_IN_USE;
  return { kind: 'hashed', hash };
}

const PASSWORD_IN_USE = invalid(
  'password',
  'you already have an account with this email address and password; sign in to it, or choose ' +
    'another password',
);
