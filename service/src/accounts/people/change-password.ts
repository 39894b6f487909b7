import { recordAuditEvent } from '../audit-log.ts';
import { invalid, type Invalid } from '../deps.ts';
import { deleteUnusedLinks } from './one-time-link-store.ts';
import { passwordProblem } from '../passwords/password-policy.ts';
import { deletePersonSessions, type Session } from '../sessions/session-store.ts';
import { personActor, startSession, type Client } from '../sessions/sessions.ts';
import { resetAfterSuccess } from '../sign-in/attempt-limiter.ts';
import {
  checkPassword,
  lockIfUnchanged,
  type SignInDeps,
  type TooManyAttempts,
} from '../sign-in/check-password.ts';
import { hashNewPassword } from './hash-new-password.ts';
import { type Person, setPasswordHash } from './person-store.ts';

/**
 * Changes the password of a signed-in person, who must enter the current one. Ends all of the
 * person's sessions and password reset links; `token` belongs to a new session for the current
 * browser.
 */
export async function changePassword(
  deps: SignInDeps,
  input: { person: Person; current: string; next: string } & Client,
): Promise<
  | { kind: 'changed'; token: string; session: Session }
  | { kind: 'refused' }
  | TooManyAttempts
  | Invalid
> {
  const { person, current, next, address } = input;
  const emailKey = person.email.toLowerCase();
  const check = await checkPassword(deps, {
    emailKey,
    password: current,
    address,
    personId: person.id,
  });
  if (check.kind !== 'right') return check;
  const problem = await passwordProblem(next, { email: emailKey });
  if (problem !== null) return invalid('password', problem);
  const hashed = await hashNewPassword(deps, { emailKey, password: next, personId: person.id });
  if (hashed.kind !== 'hashed') return hashed;
  return deps.db.transaction(async (tx) => {
    if ((await lockIfUnchanged(tx, check.person)) === null) return { kind: 'refused' };
    await setPasswordHash(tx, person.id, hashed.hash);
    // An attacker may have a pending reset link.
    await deleteUnusedLinks(tx, 'password-reset', person.id);
    const sessionsEnded = await deletePersonSessions(tx, person.id);
    const { token, session } = await startSession(tx, deps, person, input);
    await resetAfterSuccess(tx, check.attempt);
    await recordAuditEvent(tx, {
      actor: personActor(person, input),
      at: deps.clock.now(),
      action: 'person.change-password',
      subject: person.id,
      customerId: person.customerId,
      details: { sessionsEnded },
    });
    return { kind: 'changed', token, session };
  });
}
