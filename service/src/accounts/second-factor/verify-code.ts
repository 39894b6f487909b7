import type { Clock } from '../../platform/clock.ts';
import type { SecretCipher } from '../../platform/encryption.ts';
import type { Transaction } from '../../storage/db.ts';
import type { Credentials, Person } from '../people/person-store.ts';
import { fromBase32 } from './base32.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { matchTotp } from './totp.ts';

/** Which kind of code it was; null when it is wrong or was used. Either opens once. */
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
  // The id if no code of this step or a later one was used, by the primary key: of two who bring
  // the same code at once, one is refused.
  const rows = await tx.query(
    `update person set totp_last_step = $2
      where id = $1 and (totp_last_step is null or totp_last_step < $2) returning id`,
    [person.id, step],
  );
  return rows.length === 1 ? 'app' : null;
}

/** Whose secret it is that was sealed. */
export function totpContext(personId: string): string {
  return `second factor of ${personId}`;
}
