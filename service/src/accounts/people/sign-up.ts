import { createCustomerIn } from '../customers/customers.ts';
import { invalid, type Invalid } from '../deps.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { passwordMistake } from '../passwords/password-policy.ts';
import { takeTry } from '../sign-in/attempt-limiter.ts';
import { type SignInDeps, type TooMany, tooMany } from '../sign-in/check-password.ts';
import { openSession } from '../sign-in/open-session.ts';
import type { Visitor } from '../sessions/sessions.ts';
import { addPerson, type CreatedPerson } from './add-person.ts';
import { EmailTakenError, orTaken, readEmail } from './email.ts';

/**
 * Makes a customer and its first owner, who is signed in, where the operator lets anyone. Tries count
 * as those to sign in do, so that one address makes neither many accounts nor many guesses at who has
 * one.
 */
export async function signUp(
  deps: SignInDeps,
  given: { name: string; email: string; password: string; plan: string } & Visitor,
): Promise<CreatedPerson | { kind: 'name-taken' } | TooMany | Invalid> {
  const { db, clock, random } = deps;
  const { name, plan, address } = given;
  const email = readEmail(given.email);
  if (email === null) return invalid('email', 'an e-mail address such as you@example.com');
  const attempt = { emailKey: email.key, address, isKnownAddress: false };
  const wait = await takeTry(db, attempt, clock.now());
  if (wait !== null) return tooMany(wait);
  const mistake = passwordMistake(given.password, { email: email.key });
  if (mistake !== null) return invalid('password', mistake);
  const passwordHash = await hashPassword(given.password, random);
  const by = { kind: 'system', id: null, label: 'sign-up', address } as const;
  const made = db.transaction(async (tx) => {
    const customer = await createCustomerIn(tx, deps, { name, plan }, by);
    if (customer.kind !== 'created') return customer;
    const customerId = customer.customer.id;
    const wanted = { email, role: 'owner', customerId, passwordHash } as const;
    const person = await addPerson(tx, deps, wanted, given);
    if (person === null) throw new EmailTakenError();
    const opened = await openSession(tx, deps, { person, visitor: given, secondFactor: null });
    return { kind: 'created' as const, person, ...opened };
  });
  return orTaken(made, invalid('email', 'somebody has this e-mail address already'));
}
