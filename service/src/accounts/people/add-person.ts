import type { Transaction } from '../../storage/db.ts';
import { type Actor, recordAct } from '../audit-log.ts';
import type { Role } from '../permissions.ts';
import { type AccountsDeps, makeId } from '../deps.ts';
import type { Session } from '../sessions/session-store.ts';
import type { Email } from './email.ts';
import { insertPerson, type Person } from './person-store.ts';

/** Somebody who came in by a link or by themselves: `token` opens their first session. */
export interface CreatedPerson {
  kind: 'created';
  person: Person;
  token: string;
  session: Session;
}

/** Adds a person and writes it down; null when the address is somebody's. `by` may be the person. */
export async function addPerson(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  wanted: { email: Email; role: Role; customerId: string | null; passwordHash: string | null },
  by: Actor | { address: string },
): Promise<Person | null> {
  const { email, role, customerId, passwordHash } = wanted;
  const at = deps.clock.now();
  const id = makeId('per', deps.random);
  const row = {
    id,
    email: email.shown,
    emailKey: email.key,
    role,
    customerId,
    passwordHash,
  };
  if (!(await insertPerson(tx, { ...row, createdAt: at }))) return null;
  const actor: Actor =
    'kind' in by ? by : { kind: 'person', id, label: email.shown, address: by.address };
  await recordAct(tx, {
    by: actor,
    at,
    act: 'person.create',
    subject: id,
    customerId,
    details: {
      email: email.shown,
      role,
    },
  });
  return {
    id,
    email: email.shown,
    role,
    customerId,
    hasPassword: passwordHash !== null,
    hasSecondFactor: false,
    createdAt: at,
    disabledAt: null,
  };
}
