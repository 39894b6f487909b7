import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import {
  type Actor,
  type AuditAction,
  type NewAuditEvent,
  recordAuditEvent,
} from '../audit-log.ts';
import { type AccountsDeps, type Invalid, invalid, notFound, type NotFound } from '../deps.ts';
import { KEYS_MAX, TOO_MANY_KEYS } from './create-key.ts';
import {
  countKeys,
  findKey,
  type KeyRecord,
  lockKeys,
  markKeyDeleted,
  markRevoked,
  updateKey,
} from './key-store.ts';
import {
  exceedsCallerKey,
  type KeySettingsInput,
  type KeySettings,
  parseKeySettings,
} from './key-settings.ts';

/**
 * Identifies a key together with its customer. Keys that belong to other customers are not found.
 */
export interface KeyRef {
  customerId: string;
  keyId: string;
}

export type ChangedKey = { kind: 'changed' } | NotFound | Invalid;

/** Updates the given settings of a key and enables or disables it. */
export function changeKey(
  deps: AccountsDeps,
  options: KeyRef & KeySettingsInput & { enabled?: boolean },
  actor: Actor,
): Promise<ChangedKey> {
  const { enabled, customerId } = options;
  const now = deps.clock.now();
  return withKey(deps, options, actor, async (tx, key, record) => {
    if (key.revokedAt !== null) return REVOKED;
    const parsed = parseKeySettings(options, key, now);
    if (parsed.kind === 'invalid') return parsed;
    const settings = pickDefined(parsed.settings, options);
    const problem =
      expiryProblem(key, settings.expiresAt) ??
      (await exceedsCallerKey(
        tx,
        customerId,
        actor,
        extendsAccess(key, parsed.settings, enabled) ? parsed.settings : settings,
      )) ??
      (await revivalProblem(tx, key, settings.expiresAt, now));
    if (problem !== null) return problem;
    const disabledAt = enabled === true ? null : (key.disabledAt ?? now);
    await updateKey(tx, key.id, { ...settings, ...(enabled === undefined ? {} : { disabledAt }) });
    if (Object.keys(settings).length > 0 || enabled === undefined) {
      await record('key.change', { ...parsed.settings });
    }
    if (enabled !== undefined) await record(enabled ? 'key.enable' : 'key.disable');
    return { kind: 'changed' };
  });
}

/** Disables a key: it is rejected until it is enabled again. */
export function disableKey(deps: AccountsDeps, key: KeyRef, actor: Actor): Promise<ChangedKey> {
  const { customerId, keyId } = key;
  return changeKey(deps, { customerId, keyId, enabled: false }, actor);
}

export function enableKey(deps: AccountsDeps, key: KeyRef, actor: Actor): Promise<ChangedKey> {
  const { customerId, keyId } = key;
  return changeKey(deps, { customerId, keyId, enabled: true }, actor);
}

/**
 * Revokes a key permanently and keeps it in the list. A key that is already revoked is left
 * unchanged.
 */
export function revokeKey(
  deps: AccountsDeps,
  key: KeyRef,
  actor: Actor,
): Promise<ChangedKey | { kind: 'unchanged' }> {
  return withKey(deps, key, actor, async (tx, current, record) => {
    if (!(await markRevoked(tx, current.id, deps.clock.now()))) return { kind: 'unchanged' };
    await record('key.revoke');
    return { kind: 'changed' };
  });
}

/** Revokes a key and removes it from every list. */
export function deleteKey(deps: AccountsDeps, key: KeyRef, actor: Actor): Promise<ChangedKey> {
  return withKey(deps, key, actor, async (tx, current, record) => {
    await markKeyDeleted(tx, current.id, deps.clock.now());
    await record('key.delete');
    return { kind: 'changed' };
  });
}

const REVOKED = invalid('key', 'a revoked key cannot be changed');

/** Returns only the settings that are present in the input. */
function pickDefined(settings: KeySettings, input: KeySettingsInput): Partial<KeySettings> {
  return {
    ...(input.name === undefined ? {} : { name: settings.name }),
    ...(input.scopes === undefined ? {} : { scopes: settings.scopes }),
    ...(input.allowedCidrs === undefined ? {} : { allowedCidrs: settings.allowedCidrs }),
    ...(input.expiresAt === undefined ? {} : { expiresAt: settings.expiresAt }),
  };
}

/**
 * Checks whether a change gives a key more access. If it does, all of the key's settings are
 * checked against the caller's key.
 */
function extendsAccess(
  current: KeyRecord,
  updated: KeySettings,
  enabled: boolean | undefined,
): boolean {
  if (enabled === true && current.disabledAt !== null) return true;
  if (updated.scopes.some((scope) => !current.scopes.includes(scope))) return true;
  if (current.expiresAt === null) return false;
  return updated.expiresAt === null || updated.expiresAt > current.expiresAt;
}

/**
 * Rejects a new expiry that would extend or restart the grace period of a rolled key. The grace
 * period can only be shortened.
 */
function expiryProblem(key: KeyRecord, expiresAt: Instant | null | undefined): Invalid | null {
  if (key.rolledTo === null || expiresAt === undefined) return null;
  if (expiresAt !== null && (key.expiresAt === null || expiresAt <= key.expiresAt)) return null;
  return invalid('expiresAt', 'a rolled key expires at the end of its grace period at the latest');
}

/**
 * Rejects a new expiry for an expired key if the customer already has the maximum number of keys,
 * because the key would count as active again.
 */
async function revivalProblem(
  tx: Transaction,
  key: KeyRecord,
  expiresAt: Instant | null | undefined,
  now: Instant,
): Promise<Invalid | null> {
  const isExpired = key.expiresAt !== null && now >= key.expiresAt;
  if (!isExpired || expiresAt === undefined) return null;
  return (await countKeys(tx, key.customerId, now)) < KEYS_MAX ? null : TOO_MANY_KEYS;
}

type RecordEvent = (action: AuditAction, details?: NewAuditEvent['details']) => Promise<void>;

/** Runs `work` on a key, which stays locked until the transaction ends. */
function withKey<Outcome extends { kind: string }>(
  deps: AccountsDeps,
  { customerId, keyId }: KeyRef,
  actor: Actor,
  work: (tx: Transaction, key: KeyRecord, record: RecordEvent) => Promise<Outcome>,
): Promise<Outcome | NotFound> {
  return deps.db.transaction(async (tx) => {
    await lockKeys(tx);
    const key = await findKey(tx, customerId, keyId);
    if (key === null) return notFound;
    const { prefix, last4 } = key;
    const entry = { actor, at: deps.clock.now(), subject: keyId, customerId };
    return work(tx, key, (action, details = {}) =>
      recordAuditEvent(tx, { ...entry, action, details: { prefix, last4, ...details } }),
    );
  });
}
