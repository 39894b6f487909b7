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
import { resetAccountLimits } from '../sign-in/attempt-limiter.ts';
import { hashForLink } from './hash-for-link.ts';
import { findPerson, setPasswordHash } from './person-store.ts';

const RESET_MS = 60 * 60_000;

/**
 * Creates a token with which a person can set a new password. The token works once, within an hour,
 * and only while its creator is still allowed to create links. It replaces any earlier token. The
 * old password stays valid until the new one is set.
 */
export function createPasswordReset(
  deps: AccountsDeps,
  personId: string,
  actor: Actor,
): Promise<{ kind: 'made'; token: string; expiresAt: Instant } | NotFound> {
  const now = deps.clock.now();
  const expiresAt = now + RESET_MS;
  return deps.db.transaction(async (tx) => {
    const person = await findPerson(tx, personId);
    if (person === null || !(await mayCreateLinks(tx, actor))) return notFound;
    const { email, customerId } = person;
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
  const person = await findPerson(db, link?.personId ?? '');
  if (person === null) return { kind: 'invalid-link' };
  const problem = await passwordProblem(input.password, { email: person.email });
  if (problem !== null) return invalid('password', problem);
  const hash = await hashForLink(deps, 'password-reset', input);
  if (hash === null) return { kind: 'invalid-link' };
  return db.transaction(async (tx) => {
    if ((await useLink(tx, 'password-reset', input.token, now)) === null) {
      return { kind: 'invalid-link' };
    }
    await setPasswordHash(tx, person.id, hash);
    const sessionsEnded = await deletePersonSessions(tx, person.id);
    await resetAccountLimits(tx, { emailKey: person.email.toLowerCase(), address: input.address });
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
