import type { Transaction } from '../../storage/db.ts';
import { recordAct } from '../audit/record.ts';
import type { Actor } from '../audit/record.ts';
import type { Role } from '../authorise.ts';
import { findCustomer } from '../customers/customer-store.ts';
import { invalid, notFound } from '../deps.ts';
import type { AccountsDeps, Invalid, NotFound } from '../deps.ts';
import { dropLinks } from '../links/link-store.ts';
import { deleteSessionsOf } from '../sessions/session-store.ts';
import { addPerson } from './add-person.ts';
import { readEmail } from './email.ts';
import { deletePerson, findPerson, lockKeepers, setDisabled, setRole } from './person-store.ts';
import type { Credentials, Person } from './person-store.ts';

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
    if (customerId !== null && (await findCustomer(tx, customerId)) === null) return notFound;
    const person = await addPerson(tx, deps, { email, role, customerId, passwordHash: null }, by);
    return person === null ? { kind: 'email-taken' } : { kind: 'created', person };
  });
}

/** Ends all sessions and open links of a person; they cannot sign in until they are enabled. */
export function disablePerson(
  deps: AccountsDeps,
  options: PersonOf,
  by: Actor,
): Promise<ChangedPerson> {
  return withPerson(deps, options, { by, act: 'person.disable', leaves: true }, async (tx, id) => {
    await setDisabled(tx, id, deps.clock.now());
    await deleteSessionsOf(tx, id);
    await dropLinks(tx, 'password-reset', id);
    return {};
  });
}

export function enablePerson(
  deps: AccountsDeps,
  options: PersonOf,
  by: Actor,
): Promise<ChangedPerson> {
  return withPerson(deps, options, { by, act: 'person.enable', leaves: false }, async (tx, id) => {
    await setDisabled(tx, id, null);
    return {};
  });
}

/** Makes a member an owner, or an owner a member. */
export async function changeRole(
  deps: AccountsDeps,
  options: PersonOf & { role: Role },
  by: Actor,
): Promise<ChangedPerson> {
  const { role } = options;
  if ((role === 'operator') !== (options.customerId === null)) return WRONG_ROLE;
  const how = { by, act: 'person.change-role', leaves: role === 'member' };
  return withPerson(deps, options, how, async (tx, id) => {
    await setRole(tx, id, role);
    return { role };
  });
}

/** Takes a person out, with their sessions; the address is free again. */
export function removePerson(
  deps: AccountsDeps,
  options: PersonOf,
  by: Actor,
): Promise<ChangedPerson> {
  return withPerson(deps, options, { by, act: 'person.remove', leaves: true }, async (tx, id) => {
    await deletePerson(tx, id);
    return {};
  });
}

const WRONG_ROLE = invalid('role', 'operators belong to no customer, owners and members to one');

/** `leaves`: the person keeps nothing any more, so somebody else must. */
function withPerson(
  deps: AccountsDeps,
  { customerId, personId }: PersonOf,
  how: { by: Actor; act: string; leaves: boolean },
  work: (tx: Transaction, id: string) => Promise<Record<string, string>>,
): Promise<ChangedPerson> {
  return deps.db.transaction(async (tx) => {
    const keepers = how.leaves ? await lockKeepers(tx, customerId) : [];
    const person: (Person & Credentials) | null = await findPerson(tx, personId);
    if (person === null || person.customerId !== customerId) return notFound;
    if (keepers.length === 1 && keepers[0] === personId) return { kind: 'last-one' };
    const details = await work(tx, personId);
    await recordAct(tx, {
      ...{ by: how.by, at: deps.clock.now(), act: how.act, subject: personId, customerId },
      details: { email: person.email, ...details },
    });
    return { kind: 'changed' };
  });
}
