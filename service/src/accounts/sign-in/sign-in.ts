import type { SecretCipher } from '../../platform/encryption.ts';
import { recordAuditEvent } from '../audit-log.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { readEmail } from '../people/email.ts';
import { type Person, setPasswordHash, withoutCredentials } from '../people/person-store.ts';
import { isTotpCode } from '../second-factor/totp.ts';
import { verifyCode } from '../second-factor/verify-code.ts';
import { personActor, renewSession, type Client } from '../sessions/sessions.ts';
import type { Session } from '../sessions/session-store.ts';
import { resetAfterSuccess, refundAddressAttempt, consumeCodeAttempt } from './attempt-limiter.ts';
import {
  checkPassword,
  lockIfUnchanged,
  type SignInDeps,
  type TooManyAttempts,
  tooManyAttempts,
} from './check-password.ts';
import { completeSignIn } from './complete-sign-in.ts';

export type SignInResult =
  /** `token` is set in the cookie and shown only once. */
  | { kind: 'signed-in'; token: string; session: Session; person: Person }
  /** The password is correct. Ask for the code and submit everything again. */
  | { kind: 'code-required' }
  /**
   * The password or code is wrong, the code was used, or the person is unknown or disabled. The
   * outcome is deliberately the same in all cases.
   */
  | { kind: 'refused' }
  | TooManyAttempts;

/** Signs a person in. `code` is a six-digit TOTP code or a recovery code. */
export async function signIn(
  deps: SignInDeps & { cipher: SecretCipher },
  input: { email: string; password: string; code?: string } & Client,
): Promise<SignInResult> {
  const { db, clock, random, log } = deps;
  const { address, userAgent, code } = input;
  const emailKey = readEmail(input.email)?.key ?? '';
  const check = await checkPassword(deps, { emailKey, password: input.password, address });
  if (check.kind !== 'right') return check;
  const { person: candidate, attempt, isOutdated } = check;
  const logRejection = (reason: string) =>
    log.info(
      { event: 'sign_in.rejected', person: candidate.id, address },
      `sign-in rejected: ${reason}`,
    );
  if (candidate.hasSecondFactor && code === undefined) {
    // The person will return with a code, and the two requests count as one attempt for the
    // address.
    await refundAddressAttempt(db, attempt);
    return { kind: 'code-required' };
  }
  const wait =
    candidate.hasSecondFactor && code !== undefined
      ? await consumeCodeAttempt(db, attempt, { isRecovery: !isTotpCode(code) }, clock.now())
      : null;
  if (wait !== null) {
    logRejection('too many code attempts');
    return tooManyAttempts(wait);
  }
  const alike = candidate.passwordHash === null ? [] : [candidate.passwordHash];
  const newHash = isOutdated ? await hashPassword(input.password, random, alike) : null;

  return db.transaction(async (tx) => {
    const person = await lockIfUnchanged(tx, candidate);
    if (person === null) {
      logRejection('the person was changed');
      return { kind: 'refused' };
    }
    const codeKind =
      person.hasSecondFactor && code !== undefined
        ? await verifyCode(tx, deps, person, code)
        : null;
    if (person.hasSecondFactor && codeKind === null) {
      logRejection('wrong code');
      return { kind: 'refused' };
    }
    if (newHash !== null) await setPasswordHash(tx, person.id, newHash);
    const visitor = { address, userAgent };
    const signedIn = await completeSignIn(tx, deps, {
      person,
      client: visitor,
      secondFactor: codeKind,
    });
    const { token, session } = signedIn;
    await resetAfterSuccess(tx, attempt);
    return { kind: 'signed-in', token, session, person: withoutCredentials(person) };
  });
}

/**
 * Confirms a signed-in person's password before sensitive actions. The confirmation is valid for
 * ten minutes, and the session gets a new token.
 */
export async function confirmPassword(
  deps: SignInDeps,
  input: { person: Person; session: Session; password: string; address: string },
): Promise<
  { kind: 'confirmed'; token: string; session: Session } | { kind: 'refused' } | TooManyAttempts
> {
  const { person, session, password, address } = input;
  const emailKey = person.email.toLowerCase();
  const personId = person.id;
  const check = await checkPassword(deps, { emailKey, password, address, personId });
  if (check.kind !== 'right') return check;
  return deps.db.transaction(async (tx) => {
    if ((await lockIfUnchanged(tx, check.person)) === null) return { kind: 'refused' };
    const at = deps.clock.now();
    const renewed = await renewSession(tx, deps, session);
    if (renewed === null) return { kind: 'refused' };
    await resetAfterSuccess(tx, check.attempt);
    await recordAuditEvent(tx, {
      actor: personActor(person, input),
      at,
      action: 'session.confirm',
      subject: renewed.session.id,
      customerId: person.customerId,
    });
    return { kind: 'confirmed', ...renewed };
  });
}
