import { SERVICE, recordAct } from '../audit-log.ts';
import { type AccountsDeps, invalid, type Invalid } from '../deps.ts';
import { addLink, dropLinks, findLink, useLink } from './one-time-link-store.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { passwordMistake } from '../passwords/password-policy.ts';
import { openSession } from '../sign-in/open-session.ts';
import type { Visitor } from '../sessions/sessions.ts';
import { addPerson, type CreatedPerson } from './add-person.ts';
import { EmailTakenError, orTaken, readEmail } from './email.ts';
import { hasOperator } from './person-store.ts';

const SETUP_MS = 30 * 60_000;

/**
 * The token with which the first operator makes their account, for the start to print: it opens
 * once, for 30 minutes, and a later start's token ends it. Null when there is an operator.
 */
export async function makeSetupToken(deps: AccountsDeps): Promise<string | null> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    if (await hasOperator(tx)) return null;
    await dropLinks(tx, 'setup', null);
    const { id, token } = await addLink(tx, deps.random, {
      kind: 'setup',
      email: null,
      role: 'operator',
      customerId: null,
      personId: null,
      createdAt: now,
      expiresAt: now + SETUP_MS,
    });
    await recordAct(tx, {
      by: SERVICE,
      at: now,
      act: 'setup.begin',
      subject: id,
      customerId: null,
    });
    return token;
  });
}

/**
 * Makes the first operator and signs them in. `invalid-link`: the token is unknown, used or old, or
 * there is one.
 */
export async function setUpOperator(
  deps: AccountsDeps,
  given: { token: string; email: string; password: string } & Visitor,
): Promise<CreatedPerson | { kind: 'invalid-link' } | Invalid> {
  const { db, clock, random } = deps;
  const now = clock.now();
  if ((await findLink(db, 'setup', given.token, now)) === null) return { kind: 'invalid-link' };
  const email = readEmail(given.email);
  if (email === null) return invalid('email', 'an e-mail address such as you@example.com');
  const mistake = passwordMistake(given.password, { email: email.key });
  if (mistake !== null) return invalid('password', mistake);
  const passwordHash = await hashPassword(given.password, random);
  const made = db.transaction(async (tx) => {
    const link = await useLink(tx, 'setup', given.token, now);
    if (link === null || (await hasOperator(tx))) return { kind: 'invalid-link' as const };
    const wanted = { email, role: 'operator', customerId: null, passwordHash } as const;
    const person = await addPerson(tx, deps, wanted, given);
    if (person === null) throw new EmailTakenError();
    const opened = await openSession(tx, deps, { person, visitor: given, secondFactor: null });
    return { kind: 'created' as const, person, ...opened };
  });
  return orTaken(made, invalid('email', 'somebody has this e-mail address'));
}
