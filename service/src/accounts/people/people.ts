import type { Transaction } from '../../storage/db.ts';
import { type Actor, type AuditAction, recordAct } from '../audit-log.ts';
import type { Role } from '../permissions.ts';
import { lockCustomer } from '../customers/customer-store.ts';
import { type AccountsDeps, type Invalid, invalid, notFound, type NotFound } from '../deps.ts';
import { dropLinks, dropLinksBy } from './one-time-link-store.ts';
import { deleteSessionsOf } from '../sessions/session-store.ts';
import { addPerson } from './add-person.ts';
import { readEmail } from './email.ts';
import {
  type Credentials,
  deletePerson,
  findPerson,
  lockKeepers,
  type Person,
  setDisabled,
  setRole,
} from './person-store.ts';

/** A person is named with their customer, or null for operators: another's is not found. */
export interface PersonOf {
  customerId: string | null;
  personId: string;
}

export type ChangedPerson =
  | { kind: 'changed' }
  /** The last operator, or a customer's last owner, cannot go. */
  | { kind: 'last-one' }
  | NotFound
  | Invalid;

/** Adds a person without a password: `makePasswordReset` gives them the way to one. */
export function createPerson(
  deps: AccountsDeps,
  options: { customerId: string | null; email: string; role: Role },
  by: Actor,
): Promise<{ kind: 'created'; person: Person } | { kind: 'email-taken' } | NotFound | Invalid> {
  const { customerId, role } = options;
  return deps.db.transaction(async (tx) => {
    const email = readEmail(options.email);
    if (email === null) return invalid('email', 'an e-mail address such as you@example.com');
    if ((role === 'operator') !== (customerId === null)) return WRONG_ROLE;
    if (customerId !== null && (await lockCustomer(tx, customerId)) === null) return notFound;
    const person = await addPerson(tx, deps, { email, role, customerId, passwordHash: null }, by);
    return person === null ? { kind: 'email-taken' } : { kind: 'created', person };
  });
}

/**
 * Makes a member an owner or an owner a member, disables or enables; both at once or neither. Who is
 * disabled loses all sessions and open links and cannot sign in until they are enabled. Links that
 * somebody made, be it to invite or to a new password, end when they may make none any more.
 */
export async function changePerson(
  deps: AccountsDeps,
  options: PersonOf & { role?: Role; enabled?: boolean },
  by: Actor,
): Promise<ChangedPerson> {
  const { role, enabled } = options;
  const ofService = options.customerId === null;
  if (role !== undefined && (role === 'operator') !== ofService) return WRONG_ROLE;
  const leaves = role === 'member' || enabled === false;
  return withPerson(deps, options, { by, leaves }, async (tx, id, record) => {
    if (role !== undefined) {
      await setRole(tx, id, role);
      await record('person.change-role', { role });
    }
    if (enabled !== undefined) {
      await setDisabled(tx, id, enabled ? null : deps.clock.now());
      await record(enabled ? 'person.enable' : 'person.disable');
    }
    if (enabled === false) {
      await deleteSessionsOf(tx, id);
      await dropLinks(tx, 'password-reset', id);
    }
    if (leaves) await dropLinksBy(tx, id);
  });
}

export function disablePerson(
  deps: AccountsDeps,
  { customerId, personId }: PersonOf,
  by: Actor,
): Promise<ChangedPerson> {
  return changePerson(deps, { customerId, personId, enabled: false }, by);
}

export function enablePerson(
  deps: AccountsDeps,
  { customerId, personId }: PersonOf,
  by: Actor,
): Promise<ChangedPerson> {
  return changePerson(deps, { customerId, personId, enabled: true }, by);
}

export function changeRole(
  deps: AccountsDeps,
  { customerId, personId, role }: PersonOf & { role: Role },
  by: Actor,
): Promise<ChangedPerson> {
  return changePerson(deps, { customerId, personId, role }, by);
}

/** Takes a person out, with their sessions and the links they made; the address is free again. */
export function removePerson(
  deps: AccountsDeps,
  options: PersonOf,
  by: Actor,
): Promise<ChangedPerson> {
  return withPerson(deps, options, { by, leaves: true }, async (tx, id, record) => {
    await dropLinksBy(tx, id);
    await deletePerson(tx, id);
    await record('person.remove');
  });
}

const WRONG_ROLE = invalid('role', 'operators belong to no customer, owners and members to one');

/** `leaves`: the person keeps nothing any more, so somebody else must. */
function withPerson(
  deps: AccountsDeps,
  { customerId, personId }: PersonOf,
  how: { by: Actor; leaves: boolean },
  work: (
    tx: Transaction,
    id: string,
    record: (act: AuditAction, details?: Record<string, string>) => Promise<void>,
  ) => Promise<void>,
): Promise<ChangedPerson> {
  return deps.db.transaction(async (tx) => {
    const keepers = how.leaves ? await lockKeepers(tx, customerId) : [];
    const person: (Person & Credentials) | null = await findPerson(tx, personId);
    if (person === null || person.customerId !== customerId) return notFound;
    if (keepers.length === 1 && keepers[0] === personId) return { kind: 'last-one' };
    const entry = { by: how.by, at: deps.clock.now(), subject: personId, customerId };
    await work(tx, personId, (act, details = {}) =>
      recordAct(tx, { ...entry, act, details: { email: person.email, ...details } }),
    );
    return { kind: 'changed' };
  });
}
