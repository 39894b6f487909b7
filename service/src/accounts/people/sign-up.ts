import { createCustomerInTransaction } from '../customers/customers.ts';
import { invalid, type Invalid } from '../deps.ts';
import { passwordProblem } from '../passwords/password-policy.ts';
import { consumeAttempt } from '../sign-in/attempt-limiter.ts';
import {
  type SignInDeps,
  type TooManyAttempts,
  tooManyAttempts,
} from '../sign-in/check-password.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import type { Client } from '../sessions/sessions.ts';
import { addPerson, type CreatedPerson } from './add-person.ts';
import { readEmail } from './email.ts';
import { hashNewPassword } from './hash-new-password.ts';

/**
 * Creates a customer and its first owner and signs the owner in, if the operator allows sign-up. An
 * email address that has an account gets another one. So an address cannot be occupied, and the result
 * does not tell whether it has an account. Attempts consume the limits for sign-in attempts, which
 * prevents mass registration.
 */
export async function signUp(
  deps: SignInDeps,
  input: { name: string; email: string; password: string; plan: string } & Client,
): Promise<CreatedPerson | { kind: 'name-taken' } | TooManyAttempts | Invalid> {
  const { db, clock } = deps;
  const { name, plan, address } = input;
  const email = readEmail(input.email);
  if (email === null) return invalid('email', 'an email address such as you@example.com');
  const attempt = { emailKey: email.key, address, isKnownAddress: false };
  const admission = await consumeAttempt(db, attempt, clock.now());
  if ('retryAfterMs' in admission) return tooManyAttempts(admission);
  const problem = await passwordProblem(input.password, { email: email.key });
  if (problem !== null) return invalid('password', problem);
  const hashed = await hashNewPassword(deps, { emailKey: email.key, password: input.password });
  if (hashed.kind !== 'hashed') return hashed;
  const actor = { kind: 'system', id: null, label: 'sign-up', address } as const;
  return db.transaction(async (tx) => {
    const customer = await createCustomerInTransaction(tx, deps, { name, plan }, actor);
    if (customer.kind !== 'created') return customer;
    const customerId = customer.customer.id;
    const newOwner = { email, role: 'owner', customerId, passwordHash: hashed.hash } as const;
    const person = await addPerson(tx, deps, newOwner, input);
    if (person === null) throw new Error('a new customer has a member');
    const signIn = await completeSignIn(tx, deps, { person, client: input, secondFactor: null });
    return { kind: 'created', person, ...signIn };
  });
}
