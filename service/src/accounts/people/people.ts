import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { type Actor, type AuditAction, recordAuditEvent } from '../audit-log.ts';
import type { Role } from '../permissions.ts';
import { lockCustomer } from '../customers/customer-store.ts';
import { type AccountsDeps, type Invalid, invalid, notFound, type NotFound } from '../deps.ts';
import { type KeyRecord, listKeysOfPerson, lockKeys, markRevoked } from '../keys/key-store.ts';
import { deleteUnusedLinks, deleteLinksCreatedBy } from './one-time-link-store.ts';
import { deletePersonSessions } from '../sessions/session-store.ts';
import { addPerson } from './add-person.ts';
import { readEmail } from './email.ts';
import {
  deleteMembership,
  lockAdministrators,
  type PersonRef,
  setDisabled,
  setRole,
} from './membership-store.ts';
import { findPerson, type Person } from './person-store.ts';

/**
 * `keys` are the customer's usable keys for which the person is responsible; they may have been
 * revoked.
 */
export type ChangedPerson =
  | { kind: 'changed'; keys: readonly KeyRecord[] }
  /** The last operator, or the last owner of a customer, cannot be removed. */
  | { kind: 'last-one' }
  | NotFound
  | Invalid;

/**
 * Adds a person without a password. Call `createPasswordReset` to let them set one. Someone who has
 * an account must be invited instead: an address does not prove whose account it is.
 */
export function createPerson(
  deps: AccountsDeps,
  options: { customerId: string | null; email: string; role: Role },
  actor: Actor,
): Promise<{ kind: 'created'; person: Person } | { kind: 'email-taken' } | NotFound | Invalid> {
  const { customerId, role } = options;
  return deps.db.transaction(async (tx) => {
    const email = readEmail(options.email);
    if (email === null) return invalid('email', 'an email address such as you@example.com');
    if ((role === 'operator') !== (customerId === null)) return WRONG_ROLE;
    if (customerId !== null && (await lockCustomer(tx, customerId)) === null) return notFound;
    const person = await addPerson(
      tx,
      deps,
      { email, role, customerId, passwordHash: null },
      actor,
    );
    return person === null ? { kind: 'email-taken' } : { kind: 'created', person };
  });
}

/**
 * Changes the role and enables or disables a member; if one change fails, neither is made. A disabled
 * member loses the sessions that show this customer, and open links, and cannot open the customer
 * until they are enabled. Links that the person created for others are deleted if the person may no
 * longer create links. `revokeKeys` also revokes the customer's keys that the person created.
 */
export async function changePerson(
  deps: AccountsDeps,
  options: PersonRef & { role?: Role; enabled?: boolean; revokeKeys?: boolean },
  actor: Actor,
): Promise<ChangedPerson> {
  const { role, enabled } = options;
  const ofService = options.customerId === null;
  if (role !== undefined && (role === 'operator') !== ofService) return WRONG_ROLE;
  const leaves = role === 'member' || enabled === false;
  const revokesKeys = options.revokeKeys === true;
  return withPerson(deps, options, { actor, leaves, revokesKeys }, async (tx, record) => {
    if (role !== undefined) {
      await setRole(tx, options, role);
      await record('person.change-role', { role });
    }
    if (enabled !== undefined) {
      await setDisabled(tx, options, enabled ? null : deps.clock.now());
      await record(enabled ? 'person.enable' : 'person.disable');
    }
    if (enabled === false) {
      await deletePersonSessions(tx, options.personId, options.customerId);
      await deleteUnusedLinks(tx, 'password-reset', options.personId);
    }
    if (leaves) await deleteLinksCreatedBy(tx, options);
  });
}

export function disablePerson(
  deps: AccountsDeps,
  { customerId, personId, revokeKeys: revokesKeys = false }: PersonRef & { revokeKeys?: boolean },
  actor: Actor,
): Promise<ChangedPerson> {
  const change = { customerId, personId, enabled: false, revokeKeys: revokesKeys };
  return changePerson(deps, change, actor);
}

export function enablePerson(
  deps: AccountsDeps,
  { customerId, personId }: PersonRef,
  actor: Actor,
): Promise<ChangedPerson> {
  return changePerson(deps, { customerId, personId, enabled: true }, actor);
}

/**
 * Removes a person from a customer, with the sessions that show it and the links they created for it.
 * Memberships of other customers stay. `revokeKeys` also revokes the customer's keys that the person
 * created.
 */
export function removePerson(
  deps: AccountsDeps,
  options: PersonRef & { revokeKeys?: boolean },
  actor: Actor,
): Promise<ChangedPerson> {
  const revokesKeys = options.revokeKeys === true;
  return withPerson(deps, options, { actor, leaves: true, revokesKeys }, async (tx, record) => {
    await deleteLinksCreatedBy(tx, options);
    await deleteMembership(tx, options);
    await record('person.remove');
  });
}

const WRONG_ROLE = invalid(
  'role',
  'operators belong to no customer; owners and members belong to one',
);

/**
 * Runs `work` on a person in a transaction. Set `leaves` if this takes administrator access from
 * the person; at least one other administrator must then remain.
 */
function withPerson(
  deps: AccountsDeps,
  { customerId, personId }: PersonRef,
  options: { actor: Actor; leaves: boolean; revokesKeys: boolean },
  work: (
    tx: Transaction,
    record: (action: AuditAction, details?: Record<string, string>) => Promise<void>,
  ) => Promise<void>,
): Promise<ChangedPerson> {
  return deps.db.transaction(async (tx) => {
    if (options.revokesKeys) await lockKeys(tx);
    const administratorIds = options.leaves ? await lockAdministrators(tx, customerId) : [];
    const person = await findPerson(tx, personId, customerId);
    if (person === null) return notFound;
    if (administratorIds.length === 1 && administratorIds[0] === personId)
      return { kind: 'last-one' };
    const { actor } = options;
    const at = deps.clock.now();
    const keys = await listKeysOfPerson(tx, { personId, customerId }, at);
    const entry = { actor, at, subject: personId, customerId };
    await work(tx, (action, details = {}) =>
      recordAuditEvent(tx, { ...entry, action, details: { email: person.email, ...details } }),
    );
    if (options.revokesKeys) await revokeKeys(tx, keys, { actor, at });
    return { kind: 'changed', keys };
  });
}

async function revokeKeys(
  tx: Transaction,
  keys: readonly KeyRecord[],
  { actor, at }: { actor: Actor; at: Instant },
): Promise<void> {
  for (const { id, customerId, prefix, last4 } of keys) {
    await markRevoked(tx, id, at);
    const details = { prefix, last4 };
    await recordAuditEvent(tx, {
      actor,
      at,
      action: 'key.revoke',
      subject: id,
      customerId,
      details,
    });
  }
}
