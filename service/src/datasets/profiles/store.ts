import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import type { Profile } from './row.ts';

/** Profiles of securities as they stand. */
export async function loadProfiles(
  db: Queryable,
  securityIds: readonly string[],
): Promise<Profile[]> {
  if (securityIds.length === 0) return [];
  // One row a security; by index profile_current.
  const rows = await db.query<Profile & Row>(
    `select security_id as "securityId", symbol, fields, provenance, updated_at as "updatedAt"
       from profile where known_to is null and security_id = any($1::text[])`,
    [securityIds],
  );
  return rows;
}

export async function closeProfiles(
  tx: Transaction,
  securityIds: readonly string[],
  now: Instant,
): Promise<void> {
  if (securityIds.length === 0) return;
  // By index profile_current.
  await tx.query(
    `update profile set known_to = to_timestamp($2 / 1000.0)
      where known_to is null and security_id = any($1::text[])`,
    [securityIds, now],
  );
}

export async function insertProfiles(
  tx: Transaction,
  profiles: readonly Profile[],
  now: Instant,
): Promise<void> {
  if (profiles.length === 0) return;
  await tx.query(
    `insert into profile (security_id, symbol, fields, provenance, updated_at, known_from)
     select "securityId", symbol, fields, provenance, to_timestamp("updatedAt" / 1000.0),
            to_timestamp($2 / 1000.0)
       from jsonb_to_recordset($1::jsonb)
         as x("securityId" text, symbol text, fields jsonb, provenance jsonb, "updatedAt" float8)`,
    [JSON.stringify(profiles), now],
  );
}

/** Renews provenance and observation time of profiles whose facts stayed the same. */
export async function renewProfiles(tx: Transaction, profiles: readonly Profile[]): Promise<void> {
  if (profiles.length === 0) return;
  // By index profile_current.
  await tx.query(
    `update profile p
        set provenance = x.provenance, updated_at = to_timestamp(x."updatedAt" / 1000.0)
       from jsonb_to_recordset($1::jsonb)
         as x("securityId" text, provenance jsonb, "updatedAt" float8)
      where p.known_to is null and p.security_id = x."securityId"`,
    [JSON.stringify(profiles)],
  );
}
