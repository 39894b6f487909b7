import type { SecretCipher } from '../../platform/encryption.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import { type AccountsDeps, notFound, type NotFound } from '../deps.ts';
import type { PersonRef } from '../people/membership-store.ts';
import { findPerson, lockPerson, type Person } from '../people/person-store.ts';
import { encryptSecret } from '../encrypted-secrets.ts';
import { consumeCodeAttempt } from '../sign-in/attempt-limiter.ts';
import { type TooManyAttempts, tooManyAttempts } from '../sign-in/check-password.ts';
import { findWhoKnow } from '../sign-in/known-address.ts';
import { fromBase32, isTotpCode, toBase32, matchTotp, totpAddress } from './totp.ts';
import { generateRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { totpContext, verifyCode } from './verify-code.ts';

/** The output length of HMAC-SHA-1, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

type SecondFactorDeps = AccountsDeps & { cipher: SecretCipher };

/**
 * Creates a secret for an authenticator app: `secret` to type in, and `address` for a QR code. The
 * second factor takes effect once `confirmSecondFactor` has verified a code.
 */
export function beginSecondFactor(
  deps: SecondFactorDeps,
  options: { personId: string; issuer: string },
): Promise<{ kind: 'begun'; secret: string; address: string } | { kind: 'exists' } | NotFound> {
  const { personId, issuer } = options;
  const secret = toBase32(deps.random.bytes(SECRET_BYTES));
  return deps.db.transaction(async (tx) => {
    const person = await findPerson(tx, personId);
    if (person === null) return notFound;
    if (person.hasSecondFactor) return { kind: 'exists' };
    const encrypted = await encryptSecret(tx, deps.cipher, secret, totpContext(personId));
    // Leaves the second factor unchanged if it was confirmed in the meantime.
    await tx.query(
      `update person set totp_secret = $2, totp_last_step = null
        where id = $1 and totp_confirmed_at is null`,
      [personId, encrypted],
    );
    return { kind: 'begun', secret, address: totpAddress(secret, { issuer, email: person.email }) };
  });
}

/** Enables the second factor. The recovery codes are shown only once. */
export function confirmSecondFactor(
  deps: SecondFactorDeps,
  options: PersonRef & { code: string },
  actor: Actor,
): Promise<{ kind: 'confirmed'; recoveryCodes: string[] } | { kind: 'wrong-code' } | NotFound> {
  const { personId, customerId, code } = options;
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const person = await findPerson(tx, personId, customerId);
    if (person === null || person.totpSecret === null || person.hasSecondFactor) return notFound;
    const secret = fromBase32(deps.cipher.decrypt(person.totpSecret, totpContext(personId)));
    const step = matchTotp({ secret, code, now, lastStep: null });
    if (step === null) return { kind: 'wrong-code' };
    // Updates no row if the secret was replaced in the meantime.
    const rows = await tx.query(
      `update person set totp_confirmed_at = to_timestamp($3 / 1000.0), totp_last_step = $4
        where id = $1 and totp_secret = $2 and totp_confirmed_at is null returning id`,
      [personId, person.totpSecret, now, step],
    );
    if (rows.length === 0) return { kind: 'wrong-code' };
    const recoveryCodes = generateRecoveryCodes(deps.random);
    await replaceRecoveryCodes(tx, personId, recoveryCodes);
    await recordAuditEvent(tx, {
      actor,
      at: now,
      action: 'second-factor.add',
      subject: personId,
      customerId,
    });
    return { kind: 'confirmed', recoveryCodes };
  });
}

/**
 * Disables a person's own second factor, which requires one of its codes: the password alone must
 * not be enough. Wrong codes count as attempts of that person at that address.
 */
export async function removeOwnSecondFactor(
  deps: SecondFactorDeps,
  options: PersonRef & { code: string; address: string },
  actor: Actor,
): Promise<{ kind: 'removed' } | { kind: 'wrong-code' } | TooManyAttempts | NotFound> {
  const { personId, customerId, code, address } = options;
  const now = deps.clock.now();
  const person = await findPerson(deps.db, personId, customerId);
  if (person === null || !person.hasSecondFactor) return notFound;
  const known = await findWhoKnow(deps.db, [personId], address, now);
  const attempt = { personId, address, isKnownAddress: known.has(personId) };
  const wait = await consumeCodeAttempt(deps.db, attempt, { isRecovery: !isTotpCode(code) }, now);
  if (wait !== null) return tooManyAttempts(wait);
  return deps.db.transaction(async (tx) => {
    const locked = await lockPerson(tx, personId, customerId);
    if (locked === null || !locked.hasSecondFactor) return notFound;
    if ((await verifyCode(tx, deps, locked, code)) === null) return { kind: 'wrong-code' };
    await clearSecondFactor(tx, locked, { actor, at: now });
    return { kind: 'removed' };
  });
}

/** Disables the second factor of a person who lost it, for the operator who helps them. */
export function removeSecondFactor(
  deps: AccountsDeps,
  { personId, customerId }: PersonRef,
  actor: Actor,
): Promise<{ kind: 'removed' } | NotFound> {
  return deps.db.transaction(async (tx) => {
    const person = await findPerson(tx, personId, customerId);
    if (person === null) return notFound;
    await clearSecondFactor(tx, person, { actor, at: deps.clock.now() });
    return { kind: 'removed' };
  });
}

async function clearSecondFactor(
  tx: Transaction,
  person: Person,
  event: { actor: Actor; at: Instant },
): Promise<void> {
  await tx.query(
    `update person set totp_secret = null, totp_confirmed_at = null, totp_last_step = null
      where id = $1`,
    [person.id],
  );
  await replaceRecoveryCodes(tx, person.id, []);
  await recordAuditEvent(tx, {
    ...event,
    action: 'second-factor.remove',
    subject: person.id,
    customerId: person.customerId,
  });
}

/** Replaces all recovery codes. The new codes are shown only once. */
export function renewRecoveryCodes(
  deps: AccountsDeps,
  { personId, customerId }: PersonRef,
  actor: Actor,
): Promise<{ kind: 'renewed'; recoveryCodes: string[] } | NotFound> {
  return deps.db.transaction(async (tx) => {
    const person = await findPerson(tx, personId, customerId);
    if (person === null || !person.hasSecondFactor) return notFound;
    const recoveryCodes = generateRecoveryCodes(deps.random);
    await replaceRecoveryCodes(tx, personId, recoveryCodes);
    await recordAuditEvent(tx, {
      actor,
      at: deps.clock.now(),
      action: 'recovery-codes.renew',
      subject: personId,
      customerId,
    });
    return { kind: 'renewed', recoveryCodes };
  });
}
