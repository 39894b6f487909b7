import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { type Actor, type AuditAction, type AuditEntry, recordAct } from '../audit-log.ts';
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
import { beyondOwnTerms, type GivenTerms, type KeyTerms, readTerms } from './key-settings.ts';

/** A key is named with its customer: another's is not found. */
export interface KeyOf {
  customerId: string;
  keyId: string;
}

export type ChangedKey = { kind: 'changed' } | NotFound | Invalid;

/** Changes what is given of a key's name, scopes, addresses, expiry and whether it works. */
export function changeKey(
  deps: AccountsDeps,
  options: KeyOf & GivenTerms & { enabled?: boolean },
  by: Actor,
): Promise<ChangedKey> {
  const { enabled, customerId } = options;
  const now = deps.clock.now();
  return withKey(deps, options, by, async (tx, key, record) => {
    if (key.revokedAt !== null) return REVOKED;
    const read = readTerms(options, key, now);
    if (read.kind === 'invalid') return read;
    const terms = onlyGiven(read.terms, options);
    const mistake =
      expiryMistake(key, terms.expiresAt) ??
      (await beyondOwnTerms(
        tx,
        customerId,
        by,
        opens(key, read.terms, enabled) ? read.terms : terms,
      )) ??
      (await revivalMistake(tx, key, terms.expiresAt, now));
    if (mistake !== null) return mistake;
    const disabledAt = enabled === true ? null : (key.disabledAt ?? now);
    await updateKey(tx, key.id, { ...terms, ...(enabled === undefined ? {} : { disabledAt }) });
    if (Object.keys(terms).length > 0 || enabled === undefined) {
      await record('key.change', { ...read.terms });
    }
    if (enabled !== undefined) await record(enabled ? 'key.enable' : 'key.disable');
    return { kind: 'changed' };
  });
}

/** Refuses a key until it is enabled again. */
export function disableKey(deps: AccountsDeps, key: KeyOf, by: Actor): Promise<ChangedKey> {
  const { customerId, keyId } = key;
  return changeKey(deps, { customerId, keyId, enabled: false }, by);
}

export function enableKey(deps: AccountsDeps, key: KeyOf, by: Actor): Promise<ChangedKey> {
  const { customerId, keyId } = key;
  return changeKey(deps, { customerId, keyId, enabled: true }, by);
}

/** Ends a key for good; it stays in the list. A key that is revoked already is left as it is. */
export function revokeKey(
  deps: AccountsDeps,
  key: KeyOf,
  by: Actor,
): Promise<ChangedKey | { kind: 'unchanged' }> {
  return withKey(deps, key, by, async (tx, found, record) => {
    if (!(await markRevoked(tx, found.id, deps.clock.now()))) return { kind: 'unchanged' };
    await record('key.revoke');
    return { kind: 'changed' };
  });
}

/** Ends a key for good and takes it out of every list. */
export function deleteKey(deps: AccountsDeps, key: KeyOf, by: Actor): Promise<ChangedKey> {
  return withKey(deps, key, by, async (tx, found, record) => {
    await markKeyDeleted(tx, found.id, deps.clock.now());
    await record('key.delete');
    return { kind: 'changed' };
  });
}

const REVOKED = invalid('key', 'a revoked key cannot be changed');

/** The read terms of those that were given. */
function onlyGiven(terms: KeyTerms, given: GivenTerms): Partial<KeyTerms> {
  return {
    ...(given.name === undefined ? {} : { name: terms.name }),
    ...(given.scopes === undefined ? {} : { scopes: terms.scopes }),
    ...(given.allowedCidrs === undefined ? {} : { allowedCidrs: terms.allowedCidrs }),
    ...(given.expiresAt === undefined ? {} : { expiresAt: terms.expiresAt }),
  };
}

/** Whether a key may do more after a change than before: then all of its terms are given anew. */
function opens(before: KeyRecord, after: KeyTerms, enabled: boolean | undefined): boolean {
  if (enabled === true && before.disabledAt !== null) return true;
  if (after.scopes.some((scope) => !before.scopes.includes(scope))) return true;
  if (before.expiresAt === null) return false;
  return after.expiresAt === null || after.expiresAt > before.expiresAt;
}

/** The grace of a key whose place another took is not made longer, nor begun again. */
function expiryMistake(key: KeyRecord, expiresAt: Instant | null | undefined): Invalid | null {
  if (key.rolledTo === null || expiresAt === undefined) return null;
  if (expiresAt !== null && (key.expiresAt === null || expiresAt <= key.expiresAt)) return null;
  return invalid('expiresAt', 'a key that was rolled ends when its grace does, or before');
}

/** A key that had expired counts again when it is given more time. */
async function revivalMistake(
  tx: Transaction,
  key: KeyRecord,
  expiresAt: Instant | null | undefined,
  now: Instant,
): Promise<Invalid | null> {
  const isExpired = key.expiresAt !== null && now >= key.expiresAt;
  if (!isExpired || expiresAt === undefined) return null;
  return (await countKeys(tx, key.customerId, now)) < KEYS_MAX ? null : TOO_MANY_KEYS;
}

type RecordWork = (act: AuditAction, details?: AuditEntry['details']) => Promise<void>;

/** Finds the key of that customer, where it stays as it is until the work on it is done. */
function withKey<Outcome extends { kind: string }>(
  deps: AccountsDeps,
  { customerId, keyId }: KeyOf,
  by: Actor,
  work: (tx: Transaction, key: KeyRecord, record: RecordWork) => Promise<Outcome>,
): Promise<Outcome | NotFound> {
  return deps.db.transaction(async (tx) => {
    await lockKeys(tx);
    const found = await findKey(tx, customerId, keyId);
    if (found === null) return notFound;
    const { prefix, last4 } = found;
    const entry = { by, at: deps.clock.now(), subject: keyId, customerId };
    return work(tx, found, (act, details = {}) =>
      recordAct(tx, { ...entry, act, details: { prefix, last4, ...details } }),
    );
  });
}
