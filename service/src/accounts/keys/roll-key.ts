import type { Instant } from '../../platform/instant.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import { type AccountsDeps, type Invalid, generateId, notFound, type NotFound } from '../deps.ts';
import { addKey, describeKey, KEYS_MAX, TOO_MANY_KEYS } from './create-key.ts';
import { countKeys, findKey, lockKeys, markRevoked, markRolled } from './key-store.ts';
import { exceedsCallerKey, type KeySettings, parseKeySettings } from './key-settings.ts';

const HOUR_MS = 3_600_000;

/** Available grace periods for the old key. */
export const GRACE_MS = {
  now: 0,
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
} as const;

export type Grace = keyof typeof GRACE_MS;

export type RolledKey =
  | {
      kind: 'rolled';
      /** The new key, shown only once. */
      key: string;
      id: string;
      settings: KeySettings;
      /** Time when the old key expires; immediately if there is no grace period. */
      oldEndsAt: Instant;
    }
  /** The key is revoked, expired, disabled or already rolled. */
  | { kind: 'not-active' }
  | NotFound
  | Invalid;

/**
 * Replaces a key with a new key that has the same settings. Both keys work until the grace period
 * ends. Rolling never extends the life of the old key. The new key keeps the old expiry unless the
 * caller passes a different one.
 */
export function rollKey(
  deps: AccountsDeps,
  options: { customerId: string; keyId: string; grace: Grace; expiresAt?: Instant | null },
  actor: Actor,
): Promise<RolledKey> {
  const { customerId, keyId, grace } = options;
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    await lockKeys(tx);
    const old = await findKey(tx, customerId, keyId);
    if (old === null) return notFound;
    const isExpired = old.expiresAt !== null && now >= old.expiresAt;
    if (isExpired || old.disabledAt !== null) return { kind: 'not-active' };
    const input = options.expiresAt === undefined ? {} : { expiresAt: options.expiresAt };
    const parsed = parseKeySettings(input, old, now);
    if (parsed.kind === 'invalid') return parsed;

    const { settings } = parsed;
    const problem = await exceedsCallerKey(tx, customerId, actor, settings);
    if (problem !== null) return problem;
    const keysAfter = (await countKeys(tx, customerId, now)) + (grace === 'now' ? 0 : 1);
    if (keysAfter > KEYS_MAX) return TOO_MANY_KEYS;
    const kind = old.prefix.startsWith('eds_test_') ? 'test' : 'live';
    const graceEndsAt = now + GRACE_MS[grace];
    const oldEndsAt = Math.min(old.expiresAt ?? Infinity, graceEndsAt);
    const id = generateId('key', deps.random);
    // Updates the old key first, so that the second of two concurrent rolls waits here and then
    // fails.
    if (!(await markRolled(tx, keyId, { id, expiresAt: graceEndsAt }))) {
      return { kind: 'not-active' };
    }
    const { key, record } = await addKey(tx, deps, { id, customerId, kind, settings, actor });
    if (grace === 'now') await markRevoked(tx, keyId, now);
    await recordAuditEvent(tx, {
      actor,
      at: now,
      action: 'key.roll',
      subject: keyId,
      customerId,
      details: {
        newKey: id,
        grace,
        ...describeKey(record),
      },
    });
    return { kind: 'rolled', key, id, settings, oldEndsAt };
  });
}
