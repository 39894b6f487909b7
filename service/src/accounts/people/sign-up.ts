import { createCustomerIn } from '../customers/customers.ts';
import { invalid } from '../deps.ts';
import type { Invalid } from '../deps.ts';
import { hashPassword } from '../passwords/hash.ts';
import { passwordMistake } from '../passwords/rules.ts';
import { takeTry } from '../sign-in/allowance.ts';
import type { SignInDeps, TooMany } from '../sign-in/check-password.ts';
import { addPerson } from './add-person.ts';
import { readEmail } from './email.ts';
import type { Person } from './person-store.ts';

/**
 * Makes a customer and its first owner, where the operator lets anyone. Tries count as those to
 * sign in do, so that one address makes neither many accounts nor many guesses at who has one.
 */
export async function signUp(
  deps: SignInDeps,
  given: { name: string; email: string; password: string; plan: string; address: string },
): Promise<{ kind: 'created'; person: Person } | { kind: 'name-taken' } | TooMany | Invalid> {
  const { db, clock, random } = deps;
  const { name, plan, address } = given;
  const email = readEmail(given.email);
  if (email === null) return invalid('email', 'an e-mail address such as you@example.com');
  const mistake = passwordMistake(given.password, { email: email.key });
  if (mistake !== null) return invalid('password', mistake);
  const attempt = { emailKey: email.key, address, isKnownAddress: false };
  const wait = await takeTry(db, attempt, clock.now());
  if (wait !== null) {
    return { kind: 'too-many', retryAfterSeconds: Math.ceil(wait.retryAfterMs / 1_000) };
  }
  const passwordHash = await hashPassword(given.password, random);
  const by = { kind: 'system', id: null, label: 'sign-up', address } as const;
  try {
    return await db.transaction(async (tx) => {
      const made = await createCustomerIn(tx, deps, { name, plan }, by);
      if (made.kind !== 'created') return made;
      const customerId = made.customer.id;
      const wanted = { email, role: 'owner', customerId, passwordHash } as const;
      const person = await addPerson(tx, deps, wanted, given);
      if (person === null) throw new EmailTakenError();
      return { kind: 'created', person };
    });
  } catch (error) {
    if (!(error instanceof EmailTakenError)) throw error;
    return invalid('email', 'somebody has this e-mail address already');
  }
}

/** Undoes the customer that was made for somebody who has one. */
class EmailTakenError extends Error {}
