import type { Transaction } from '../../storage/db.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import type { Role } from '../permissions.ts';
import { type AccountsDeps, generateId } from '../deps.ts';
import type { Session } from '../sessions/session-store.ts';
import type { Email } from './email.ts';
import { hasMember, insertMembership } from './membership-store.ts';
import { insertPerson, type Person } from './person-store.ts';

/** A person who has just joined. `token` belongs to their first session. */
export interface CreatedPerson {
  kind: 'created';
  person: Person;
  token: string;
  session: Session;
}

/**
 * Adds a person with one membership and records it in the audit log. Returns null if a member of the
 * customer has the email address. Accounts of other customers with the same address do not matter.
 */
export async function addPerson(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  newPerson: { email: Email; role: Role; customerId: string | null; passwordHash: string | null },
  createdBy: Actor | { address: string },
): Promise<Person | null> {
  const { email, role, customerId, passwordHash } = newPerson;
  const at = deps.clock.now();
  const id = generateId('per', deps.random);
  if (await hasMember(tx, customerId, email.key)) return null;
  const names = { email: email.display, emailKey: email.key };
  await insertPerson(tx, { id, ...names, passwordHash, createdAt: at });
  await insertMembership(tx, { personId: id, customerId }, { role, createdAt: at });
  const actor: Actor =
    'kind' in createdBy
      ? createdBy
      : { kind: 'person', id, label: email.display, address: createdBy.address };
  await recordAuditEvent(tx, {
    actor,
    at,
    action: 'person.create',
    subject: id,
    customerId,
    details: {
      email: email.display,
      role,
    },
  });
  return {
    id,
    email: email.display,
    role,
    customerId,
    hasPassword: passwordHash !== null,
    hasSecondFactor: false,
    createdAt: at,
    disabledAt: null,
  };
}
