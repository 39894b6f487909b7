import type { Instant } from '../../platform/instant.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import { type AccountsDeps, type Invalid, generateId, notFound, type NotFound } from '../deps.ts';
import { addKey, describeKey, KEYS_MAX, TOO_MANY_KEYS } from './create-key.ts';
import { countKeys, findKey, lockKeys, markRevoked, markRolled } from './key-store.ts';
import { exceedsCallerKey, type KeySettings, parseKeySettings } from './key-settings.ts';

const HOUR_MS = 3_600_000;

/** How long the old key goes on beside the new one. */
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
      /** The new key: the only time it is seen. */
      key: string;
      id: string;
      settings: KeySettings;
      /** When the old one ends: at once without a grace. */
      oldEndsAt: Instant;
    }
  /** It is revoked, expired, disabled or was rolled before: there is nothing to take over. */
  | { kind: 'not-active' }
  | NotFound
  | Invalid;

/**
 * Makes a key in the place of another, on the same terms. Both work until the grace is over; a key
 * never lives longer for having been rolled. The new one keeps the old one's expiry unless another
 * is given.
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
    // The old one first: of two that roll it at once, one waits here and then finds it rolled.
    if (!(await markRolled(tx, keyId, { id, expiresAt: graceEndsAt }))) {
      return { kind: 'not-active' };
    }
    const { key, record } = await addKey(tx, deps, { id, customerId, kind, settings });
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
