import { encryptSecret } from '../../accounts/encrypted-secrets.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';
import type { SecretCipher } from '../../platform/encryption.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import type { SigningSecrets } from '../message/delivery-headers.ts';

export type SecretRole = 'current' | 'next' | 'previous';

/** An endpoint's decrypted secret. */
export interface WebhookSecret {
  role: SecretRole;
  secret: string;
  createdAt: Instant;
  /** Time at which the secret stops signing. Null if it does not expire. */
  expiresAt: Instant | null;
}

const SECRET_BYTES = 32;

/**
 * Returns `whsec_` followed by 32 random bytes in base64, as in Standard Webhooks. Our own signature
 * uses this text as the HMAC key, Standard Webhooks uses the decoded bytes.
 */
export function generateSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`;
}

/**
 * Returns false for secrets of earlier versions, in base64url without padding, which libraries for
 * Standard Webhooks decode to other bytes or reject.
 */
export function isStandardSecret(secret: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret);
}

/**
 * Stores a secret, encrypted for its endpoint. The endpoint must not already have a secret with the
 * same role.
 */
export async function insertSecret(
  tx: Transaction,
  cipher: SecretCipher,
  row: { endpointId: string; role: SecretRole; secret: string; now: Instant },
): Promise<void> {
  const { endpointId, role, now } = row;
  const sealed = await encryptSecret(tx, cipher, row.secret, endpointId);
  await tx.query(
    `insert into webhook_secret (endpoint_id, role, sealed, created_at)
     values ($1, $2, $3, to_timestamp($4 / 1000.0))`,
    [endpointId, role, sealed, now],
  );
}

export async function deleteSecret(
  tx: Transaction,
  endpointId: string,
  role: SecretRole,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from webhook_secret where endpoint_id = $1 and role = $2 returning role`,
    [endpointId, role],
  );
  return rows.length > 0;
}

/**
 * Changes the role of a secret. The endpoint must not already have a secret with the new role.
 * Previous secrets get an expiration time.
 */
export async function moveSecret(
  tx: Transaction,
  endpointId: string,
  { from, to, expiresAt = null }: { from: SecretRole; to: SecretRole; expiresAt?: Instant | null },
): Promise<void> {
  await tx.query(
    `update webhook_secret set role = $3, expires_at = to_timestamp($4 / 1000.0)
      where endpoint_id = $1 and role = $2`,
    [endpointId, from, to, expiresAt],
  );
}

/**
 * Returns the secrets with which an endpoint signs at this time, current first. Empty if there are
 * none.
 */
export async function loadSecrets(
  db: Queryable,
  cipher: SecretCipher,
  endpointId: string,
  now: Instant,
): Promise<WebhookSecret[]> {
  return (await loadEncrypted(db, [endpointId], now)).map((row) => ({
    role: row.role,
    secret: cipher.decrypt(row.sealed, endpointId),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

/** The state of a secret rotation. */
export interface SecretChange {
  /** Time at which the next secret was prepared. */
  nextPreparedAt: Instant | null;
  /** Time at which the previous secret stops signing, which may be in the past. */
  previousExpiresAt: Instant | null;
}

/** Returns rotations by endpoint. Endpoints with only a current secret are left out. */
export async function loadSecretChanges(
  db: Queryable,
  endpointIds: readonly string[],
): Promise<Map<string, SecretChange>> {
  // Returns at most one row per endpoint.
  const rows = await db.query<SecretChange & { endpointId: string } & Row>(
    `select endpoint_id as "endpointId", max(expires_at) as "previousExpiresAt",
            max(created_at) filter (where role = 'next') as "nextPreparedAt"
       from webhook_secret where endpoint_id = any($1::text[]) and role <> 'current'
      group by endpoint_id`,
    [endpointIds],
  );
  return new Map(rows.map(({ endpointId, ...change }) => [endpointId, change]));
}

/**
 * Returns the secrets used for signing at this time, by endpoint. Endpoints without a secret are
 * left out.
 */
export async function loadSigningSecrets(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  endpointIds: readonly string[],
  now: Instant,
): Promise<Map<string, SigningSecrets>> {
  const secretsById = new Map<string, SigningSecrets>();
  const rows = await loadEncrypted(db, [...new Set(endpointIds)], now);
  for (const [endpointId, endpointRows] of Map.groupBy(rows, (row) => row.endpoint_id)) {
    const open = (role: SecretRole) => {
      const row = endpointRows.find((secret) => secret.role === role);
      return row === undefined ? null : cipher.decrypt(row.sealed, endpointId);
    };
    const current = open('current');
    if (current === null) continue;
    secretsById.set(endpointId, { current, next: open('next'), previous: open('previous') });
  }
  return secretsById;
}

async function loadEncrypted(
  db: Queryable,
  endpointIds: readonly string[],
  now: Instant,
): Promise<EncryptedRow[]> {
  // Returns at most three rows per endpoint. `current` sorts first.
  return db.query<EncryptedRow>(
    `select endpoint_id, role, sealed, created_at, expires_at from webhook_secret
      where endpoint_id = any($1::text[])
        and (expires_at is null or expires_at > to_timestamp($2 / 1000.0))
      order by endpoint_id, role`,
    [endpointIds, now],
  );
}

interface EncryptedRow extends Row {
  endpoint_id: string;
  role: SecretRole;
  sealed: string;
  created_at: Instant;
  expires_at: Instant | null;
}
