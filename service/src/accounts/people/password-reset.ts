import type { Instant } from '../../platform/instant.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import { type AccountsDeps, type Invalid, invalid, notFound, type NotFound } from '../deps.ts';
import {
  createLink,
  deleteUnusedLinks,
  findLink,
  mayCreateLinks,
  useLink,
} from './one-time-link-store.ts';
import { passwordProblem } from '../passwords/password-policy.ts';
import { deletePersonSessions } from '../sessions/session-store.ts';
import { personActor } from '../sessions/sessions.ts';
import { resetPairLimit } from '../sign-in/attempt-limiter.ts';
import { hashForLink } from './hash-for-link.ts';
import type { PersonRef } from './membership-store.ts';
import { findPerson, setPasswordHash } from './person-store.ts';

const RESET_MS = 60 * 60_000;

/**
 * Creates a token with which a person can set a new password. The token works once, within an hour,
 * and only while its creator is still allowed to create links. It replaces any earlier token. The
 * old password stays valid until the new one is set. Only operators may do this, because the link
 * opens all accounts of the person.
 */
export function createPasswordReset(
  deps: AccountsDeps,
  { personId, customerId }: PersonRef,
  actor: Actor,
): Promise<{ kind: 'made'; token: string; expiresAt: Instant } | NotFound> {
  const now = deps.clock.now();
  const expiresAt = now + RESET_MS;
  return deps.db.transaction(async (tx) => {
    const person = await findPerson(tx, personId, customerId);
    if (person === null || !(await mayCreateLinks(tx, actor, customerId))) return notFound;
    const { email } = person;
    await deleteUnusedLinks(tx, 'password-reset', personId);
    const { token } = await createLink(tx, deps.random, {
      kind: 'password-reset',
      email,
      role: null,
      customerId,
      personId,
      createdAt: now,
      expiresAt,
      creator: actor,
    });
    const action = 'person.reset-password';
    await recordAuditEvent(tx, { actor, at: now, action, subject: personId, customerId });
    return { kind: 'made', token, expiresAt };
  });
}

/** Sets the new password and ends every session. The second factor stays as it is. */
export async function resetPassword(
  deps: AccountsDeps,
  input: { token: string; password: string; address: string },
): Promise<{ kind: 'changed' } | { kind: 'invalid-link' } | Invalid> {
  const { db, clock } = deps;
  const now = clock.now();
  const link = await findLink(db, 'password-reset', input.token, now);
  const person = await findPerson(db, link?.personId ?? '', link?.customerId ?? null);
  if (person === null) return { kind: 'invalid-link' };
  const emailKey = person.email.toLowerCase();
  const problem = await passwordProblem(input.password, { email: emailKey });
  if (problem !== null) return invalid('password', problem);
  const chosen = { token: input.token, password: input.password, emailKey, personId: person.id };
  const hashed = await hashForLink(deps, 'password-reset', chosen);
  if (hashed.kind !== 'hashed') return hashed;
  return db.transaction(async (tx) => {
    if ((await useLink(tx, 'password-reset', input.token, now)) === null) {
      return { kind: 'invalid-link' };
    }
    await setPasswordHash(tx, person.id, hashed.hash);
    const sessionsEnded = await deletePersonSessions(tx, person.id);
    await resetPairLimit(tx, { emailKey, address: input.address });
    await recordAuditEvent(tx, {
      actor: personActor(person, input),
      at: now,
      action: 'person.change-password',
      subject: person.id,
      customerId: person.customerId,
      details: {
        by: 'link',
        sessionsEnded,
      },
    });
    return { kind: 'changed' };
  });
}
