import { recordAct } from '../audit-log.ts';
import { invalid, type Invalid } from '../deps.ts';
import { dropLinks } from './one-time-link-store.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { passwordMistake } from '../passwords/password-policy.ts';
import { deleteSessionsOf, type Session } from '../sessions/session-store.ts';
import { actorOf, startSession, type Visitor } from '../sessions/sessions.ts';
import { giveBack } from '../sign-in/attempt-limiter.ts';
import {
  checkPassword,
  lockUnchanged,
  type SignInDeps,
  type TooMany,
} from '../sign-in/check-password.ts';
import { type Person, setPasswordHash } from './person-store.ts';

/**
 * Changes the password of who is signed in, given the one that stands. All their sessions end, this
 * one too, and so do links to a new password; `token` opens a new one for the browser that asked.
 */
export async function changePassword(
  deps: SignInDeps,
  given: { person: Person; current: string; next: string } & Visitor,
): Promise<
  { kind: 'changed'; token: string; session: Session } | { kind: 'refused' } | TooMany | Invalid
> {
  const { person, current, next, address } = given;
  const emailKey = person.email.toLowerCase();
  const checked = await checkPassword(deps, { emailKey, password: current, address });
  if (checked.kind !== 'right') return checked;
  const mistake = passwordMistake(next, { email: emailKey });
  if (mistake !== null) return invalid('password', mistake);
  const hash = await hashPassword(next, deps.random);
  return deps.db.transaction(async (tx) => {
    if ((await lockUnchanged(tx, checked.person)) === null) return { kind: 'refused' };
    await setPasswordHash(tx, person.id, hash);
    // A link to another new password may be in other hands.
    await dropLinks(tx, 'password-reset', person.id);
    const sessionsEnded = await deleteSessionsOf(tx, person.id);
    const { token, session } = await startSession(tx, deps, person.id, given);
    await giveBack(tx, checked.attempt);
    await recordAct(tx, {
      by: actorOf(person, given),
      at: deps.clock.now(),
      act: 'person.change-password',
      subject: person.id,
      customerId: person.customerId,
      details: { sessionsEnded },
    });
    return { kind: 'changed', token, session };
  });
}
