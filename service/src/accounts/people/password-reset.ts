import type { Instant } from '../../platform/instant.ts';
import { type Actor, recordAct } from '../audit-log.ts';
import { type AccountsDeps, type Invalid, invalid, notFound, type NotFound } from '../deps.ts';
import { addLink, dropLinks, findLink, mayMakeLinks, useLink } from './one-time-link-store.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { passwordMistake } from '../passwords/password-policy.ts';
import { deleteSessionsOf } from '../sessions/session-store.ts';
import { actorOf } from '../sessions/sessions.ts';
import { clearAccount } from '../sign-in/attempt-limiter.ts';
import { findPerson, setPasswordHash } from './person-store.ts';

const RESET_MS = 60 * 60_000;

/**
 * A token with which a person chooses a new password, once and within an hour, unless who made it may
 * not make any more before; one made before ends. Until then the old password stays.
 */
export function makePasswordReset(
  deps: AccountsDeps,
  personId: string,
  by: Actor,
): Promise<{ kind: 'made'; token: string; expiresAt: Instant } | NotFound> {
  const now = deps.clock.now();
  const expiresAt = now + RESET_MS;
  return deps.db.transaction(async (tx) => {
    const person = await findPerson(tx, personId);
    if (person === null || !(await mayMakeLinks(tx, by))) return notFound;
    const { email, customerId } = person;
    await dropLinks(tx, 'password-reset', personId);
    const { token } = await addLink(tx, deps.random, {
      kind: 'password-reset',
      email,
      role: null,
      customerId,
      personId,
      createdAt: now,
      expiresAt,
      by,
    });
    const act = 'person.reset-password';
    await recordAct(tx, { by, at: now, act, subject: personId, customerId });
    return { kind: 'made', token, expiresAt };
  });
}

/** Takes a new password and ends every session. A second factor stays as it is. */
export async function resetPassword(
  deps: AccountsDeps,
  given: { token: string; password: string; address: string },
): Promise<{ kind: 'changed' } | { kind: 'invalid-link' } | Invalid> {
  const { db, clock, random } = deps;
  const now = clock.now();
  const found = await findLink(db, 'password-reset', given.token, now);
  const person = await findPerson(db, found?.personId ?? '');
  if (person === null) return { kind: 'invalid-link' };
  const mistake = passwordMistake(given.password, { email: person.email });
  if (mistake !== null) return invalid('password', mistake);
  const hash = await hashPassword(given.password, random);
  return db.transaction(async (tx) => {
    if ((await useLink(tx, 'password-reset', given.token, now)) === null) {
      return { kind: 'invalid-link' };
    }
    await setPasswordHash(tx, person.id, hash);
    const sessionsEnded = await deleteSessionsOf(tx, person.id);
    await clearAccount(tx, { emailKey: person.email.toLowerCase(), address: given.address });
    await recordAct(tx, {
      by: actorOf(person, given),
      at: now,
      act: 'person.change-password',
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
