import type { Clock } from '../../platform/clock.ts';
import type { SecretCipher } from '../../platform/encryption.ts';
import type { Transaction } from '../../storage/db.ts';
import type { Credentials, Person } from '../people/person-store.ts';
import { fromBase32, matchTotp } from './totp.ts';
import { useRecoveryCode } from './recovery-codes.ts';

/** Returns the kind of a valid code, or null if the code is wrong or used. Each code works once. */
export async function verifyCode(
  tx: Transaction,
  deps: { clock: Clock; cipher: SecretCipher },
  person: Person & Credentials,
  code: string,
): Promise<'app' | 'recovery' | null> {
  if (person.totpSecret === null) return null;
  const secret = fromBase32(deps.cipher.decrypt(person.totpSecret, totpContext(person.id)));
  const lastStep = person.totpLastStep;
  const step = matchTotp({ secret, code, now: deps.clock.now(), lastStep });
  if (step === null) return (await useRecoveryCode(tx, person.id, code)) ? 'recovery' : null;
  // Returns the id unless this step or a later one was used, so that one of two concurrent uses of
  // a code fails.
  const rows = await tx.query(
    `update person set totp_last_step = $2
      where id = $1 and (totp_last_step is null or totp_last_step < $2) returning id`,
    [person.id, step],
  );
  return rows.length === 1 ? 'app' : null;
}

/** Returns the encryption context for a person's TOTP secret. */
export function totpContext(personId: string): string {
  return `second factor of ${personId}`;
}
