import type { SecretCipher } from '../../platform/encryption.ts';
import { recordAct } from '../audit-log.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { readEmail } from '../people/email.ts';
import { type Person, setPasswordHash, withoutCredentials } from '../people/person-store.ts';
import { takeCode } from '../second-factor/verify-code.ts';
import { actorOf, type Visitor } from '../sessions/sessions.ts';
import { type Session, setPasswordAt } from '../sessions/session-store.ts';
import { giveBack, giveBackAddress, takeCodeTry } from './attempt-limiter.ts';
import {
  checkPassword,
  lockUnchanged,
  type SignInDeps,
  type TooMany,
  tooMany,
} from './check-password.ts';
import { openSession } from './open-session.ts';

export type SignedIn =
  /** `token` goes into the cookie; it is the only time it is seen. */
  | { kind: 'signed-in'; token: string; session: Session; person: Person }
  /** The password is right; ask for the code and send all of it again. */
  | { kind: 'code-required' }
  /** Wrong password, unknown or disabled person, or a wrong or used code: one answer for all. */
  | { kind: 'refused' }
  | TooMany;

/** `code`: six digits of an authenticator app, or a recovery code. */
export async function signIn(
  deps: SignInDeps & { cipher: SecretCipher },
  given: { email: string; password: string; code?: string } & Visitor,
): Promise<SignedIn> {
  const { db, clock, random, log } = deps;
  const { address, userAgent, code } = given;
  const emailKey = readEmail(given.email)?.key ?? '';
  const checked = await checkPassword(deps, { emailKey, password: given.password, address });
  if (checked.kind !== 'right') return checked;
  const { person: judged, attempt, isOutdated } = checked;
  if (judged.hasSecondFactor && code === undefined) {
    // The same person comes again with the code: to others from there it is one try.
    await giveBackAddress(db, attempt);
    return { kind: 'code-required' };
  }
  const wait = judged.hasSecondFactor ? await takeCodeTry(db, emailKey, clock.now()) : null;
  if (wait !== null) {
    log.info({ person: judged.id, address }, 'sign-in refused: too many codes');
    return tooMany(wait);
  }
  const newHash = isOutdated ? await hashPassword(given.password, random) : null;

  return db.transaction(async (tx) => {
    const person = await lockUnchanged(tx, judged);
    if (person === null) {
      log.info({ person: judged.id, address }, 'sign-in refused: the person has changed');
      return { kind: 'refused' };
    }
    const used =
      person.hasSecondFactor && code !== undefined ? await takeCode(tx, deps, person, code) : null;
    if (person.hasSecondFactor && used === null) {
      log.info({ person: person.id, address }, 'sign-in refused: the code is wrong');
      return { kind: 'refused' };
    }
    if (newHash !== null) await setPasswordHash(tx, person.id, newHash);
    const visitor = { address, userAgent };
    const opened = await openSession(tx, deps, { person, visitor, secondFactor: used });
    const { token, session } = opened;
    await giveBack(tx, attempt);
    return { kind: 'signed-in', token, session, person: withoutCredentials(person) };
  });
}

/**
 * Takes the password again from who is signed in, for acts that want it fresh: it is for the next
 * ten minutes of that session.
 */
export async function confirmPassword(
  deps: SignInDeps,
  given: { person: Person; session: Session; password: string; address: string },
): Promise<{ kind: 'confirmed' } | { kind: 'refused' } | TooMany> {
  const { person, session, password, address } = given;
  const emailKey = person.email.toLowerCase();
  const checked = await checkPassword(deps, { emailKey, password, address });
  if (checked.kind !== 'right') return checked;
  return deps.db.transaction(async (tx) => {
    if ((await lockUnchanged(tx, checked.person)) === null) return { kind: 'refused' };
    const at = deps.clock.now();
    await setPasswordAt(tx, session.id, at);
    await giveBack(tx, checked.attempt);
    await recordAct(tx, {
      by: actorOf(person, given),
      at,
      act: 'session.confirm',
      subject: session.id,
      customerId: person.customerId,
    });
    return { kind: 'confirmed' };
  });
}
