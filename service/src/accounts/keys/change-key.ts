import type { Transaction } from '../../storage/db.ts';
import { recordAct } from '../audit/record.ts';
import type { Actor } from '../audit/record.ts';
import { invalid, notFound } from '../deps.ts';
import type { AccountsDeps, Invalid, NotFound } from '../deps.ts';
import { findKey, markKeyDeleted, markRevoked, updateKey } from './key-store.ts';
import type { KeyRecord } from './key-store.ts';
import { readTerms } from './key-terms.ts';
import type { GivenTerms } from './key-terms.ts';

/** A key is named with its customer: another's is not found. */
export interface KeyOf {
  customerId: string;
  keyId: string;
}

export type ChangedKey = { kind: 'changed' } | NotFound | Invalid;

/** Changes what is given of a key's name, scopes, addresses and expiry. */
export function changeKey(
  deps: AccountsDeps,
  options: KeyOf & GivenTerms,
  by: Actor,
): Promise<ChangedKey> {
  return withKey(deps, options, by, 'key.change', async (tx, key) => {
    if (key.revokedAt !== null) return REVOKED;
    const read = readTerms(options, key, deps.clock.now());
    if (read.kind === 'invalid') return read;
    await updateKey(tx, key.id, { ...read.terms, disabledAt: key.disabledAt });
    return { kind: 'changed', details: { ...read.terms } };
  });
}

/** Refuses a key until it is enabled again. */
export function disableKey(deps: AccountsDeps, key: KeyOf, by: Actor): Promise<ChangedKey> {
  return withKey(deps, key, by, 'key.disable', async (tx, found) => {
    if (found.revokedAt !== null) return REVOKED;
    const disabledAt = found.disabledAt ?? deps.clock.now();
    await updateKey(tx, found.id, { ...found, disabledAt });
    return { kind: 'changed' };
  });
}

export function enableKey(deps: AccountsDeps, key: KeyOf, by: Actor): Promise<ChangedKey> {
  return withKey(deps, key, by, 'key.enable', async (tx, found) => {
    if (found.revokedAt !== null) return REVOKED;
    await updateKey(tx, found.id, { ...found, disabledAt: null });
    return { kind: 'changed' };
  });
}

/** Ends a key for good; it stays in the list. A key that is revoked already is left as it is. */
export function revokeKey(
  deps: AccountsDeps,
  key: KeyOf,
  by: Actor,
): Promise<ChangedKey | { kind: 'unchanged' }> {
  return withKey(deps, key, by, 'key.revoke', async (tx, found) =>
    (await markRevoked(tx, found.id, deps.clock.now()))
      ? { kind: 'changed' as const }
      : { kind: 'unchanged' as const },
  );
}

/** Ends a key for good and takes it out of every list. */
export function deleteKey(deps: AccountsDeps, key: KeyOf, by: Actor): Promise<ChangedKey> {
  return withKey(deps, key, by, 'key.delete', async (tx, found) => {
    await markKeyDeleted(tx, found.id, deps.clock.now());
    return { kind: 'changed' };
  });
}

const REVOKED = invalid('key', 'a revoked key cannot be changed');

/** Finds the key of that customer, works on it, and writes down what was changed. */
function withKey<Outcome extends { kind: string }>(
  deps: AccountsDeps,
  { customerId, keyId }: KeyOf,
  by: Actor,
  act: string,
  work: (tx: Transaction, key: KeyRecord) => Promise<Outcome>,
): Promise<Outcome | NotFound> {
  return deps.db.transaction(async (tx) => {
    const found = await findKey(tx, customerId, keyId);
    if (found === null) return notFound;
    const outcome = await work(tx, found);
    if (outcome.kind === 'changed') {
      const { prefix, last4 } = found;
      const terms = 'details' in outcome ? (outcome.details as object) : {};
      await recordAct(tx, {
        ...{ by, at: deps.clock.now(), act, subject: keyId, customerId },
        details: { prefix, last4, ...terms },
      });
    }
    return outcome;
  });
}
