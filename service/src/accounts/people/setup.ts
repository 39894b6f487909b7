import { SERVICE, recordAuditEvent } from '../audit-log.ts';
import { type AccountsDeps, invalid, type Invalid } from '../deps.ts';
import { createLink, deleteUnusedLinks, findLink, useLink } from './one-time-link-store.ts';
import { passwordProblem } from '../passwords/password-policy.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import type { Client } from '../sessions/sessions.ts';
import { addPerson, type CreatedPerson } from './add-person.ts';
import { readEmail } from './email.ts';
import { hashForLink } from './hash-for-link.ts';
import { hasOperator } from './membership-store.ts';

const SETUP_MS = 30 * 60_000;

/**
 * Creates the token, printed at startup, with which the first operator creates their account. It
 * works once, for 30 minutes, and is replaced at the next start. Returns null if an operator
 * exists.
 */
export async function createSetupToken(deps: AccountsDeps): Promise<string | null> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    if (await hasOperator(tx)) return null;
    await deleteUnusedLinks(tx, 'setup', null);
    const { id, token } = await createLink(tx, deps.random, {
      kind: 'setup',
      email: null,
      role: 'operator',
      customerId: null,
      personId: null,
      createdAt: now,
      expiresAt: now + SETUP_MS,
    });
    await recordAuditEvent(tx, {
      actor: SERVICE,
      at: now,
      action: 'setup.begin',
      subject: id,
      customerId: null,
    });
    return token;
  });
}

/**
 * Creates the first operator and signs them in. Returns `invalid-link` if the token is unknown,
 * used or expired, or if an operator exists.
 */
export async function setUpOperator(
  deps: AccountsDeps,
  input: { token: string; email: string; password: string } & Client,
): Promise<CreatedPerson | { kind: 'invalid-link' } | Invalid> {
  const { db, clock } = deps;
  const now = clock.now();
  if ((await findLink(db, 'setup', input.token, now)) === null) return { kind: 'invalid-link' };
  const email = readEmail(input.email);
  if (email === null) return invalid('email', 'an email address such as you@example.com');
  const problem = await passwordProblem(input.password, { email: email.key });
  if (problem !== null) return invalid('password', problem);
  const hashed = await hashForLink(deps, 'setup', { ...input, emailKey: email.key });
  if (hashed.kind !== 'hashed') return hashed;
  return db.transaction(async (tx) => {
    const link = await useLink(tx, 'setup', input.token, now);
    if (link === null || (await hasOperator(tx))) return { kind: 'invalid-link' };
    const passwordHash = hashed.hash;
    const newOperator = { email, role: 'operator', customerId: null, passwordHash } as const;
    const person = await addPerson(tx, deps, newOperator, input);
    if (person === null) return { kind: 'invalid-link' };
    const signIn = await completeSignIn(tx, deps, { person, client: input, secondFactor: null });
    return { kind: 'created', person, ...signIn };
  });
}
