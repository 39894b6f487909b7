import type { Random } from '../../platform/random.ts';
import type { Queryable } from '../../storage/db.ts';
import { hashToken } from '../token.ts';
import { toBase32 } from './totp.ts';

const CODES = 10;
/** At least 112 random bits, for which one round of SHA-256 is a safe hash. */
const CODE_BYTES = 15;

/** Generates codes such as `abcd-efgh-ijkl-mnop-qrst-uvwx`, with 120 random bits each. */
export function generateRecoveryCodes(random: Random): string[] {
  return Array.from({ length: CODES }, () => {
    const text = toBase32(random.bytes(CODE_BYTES)).toLowerCase();
    return text.match(/.{4}/g)?.join('-') ?? text;
  });
}

/** Replaces all of a person's recovery codes. */
export async function replaceRecoveryCodes(
  db: Queryable,
  personId: string,
  codes: readonly string[],
): Promise<void> {
  await db.query('delete from recovery_code where person_id = $1', [personId]);
  for (const code of codes) {
    await db.query('insert into recovery_code (person_id, hash) values ($1, $2)', [
      personId,
      hashRecoveryCode(code),
    ]);
  }
}

/** Consumes a recovery code. Returns false if the code is not valid. */
export async function useRecoveryCode(
  db: Queryable,
  personId: string,
  code: string,
): Promise<boolean> {
  // Returns a row if the code was valid.
  const rows = await db.query(
    'delete from recovery_code where person_id = $1 and hash = $2 returning person_id',
    [personId, hashRecoveryCode(code)],
  );
  return rows.length === 1;
}

export async function countRecoveryCodes(db: Queryable, personId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*) as count from recovery_code where person_id = $1',
    [personId],
  );
  return rows[0]?.count ?? 0;
}

/** Hashes a code, ignoring case, spaces and hyphens. */
function hashRecoveryCode(code: string): Uint8Array {
  return hashToken(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''));
}
