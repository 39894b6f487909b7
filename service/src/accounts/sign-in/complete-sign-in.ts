import type { Transaction } from '../../storage/db.ts';
import { recordAuditEvent } from '../audit-log.ts';
import type { AccountsDeps } from '../deps.ts';
import { markUsed } from '../people/membership-store.ts';
import type { Person } from '../people/person-store.ts';
import { personActor, startSession, type Client } from '../sessions/sessions.ts';
import type { Session } from '../sessions/session-store.ts';
import { rememberAddress } from './known-address.ts';

/**
 * Creates a session for a person who has just authenticated, in the same transaction. It shows the
 * membership in which the person was found.
 */
export async function completeSignIn(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  options: { person: Person; client: Client; secondFactor: 'app' | 'recovery' | null },
): Promise<{ token: string; session: Session }> {
  const { person, client: visitor, secondFactor } = options;
  const at = deps.clock.now();
  const { token, session } = await startSession(tx, deps, person, visitor);
  await markUsed(tx, { personId: person.id, customerId: person.customerId }, at);
  await rememberAddress(tx, person.id, visitor.address, at);
  await recordAuditEvent(tx, {
    actor: personActor(person, visitor),
    at,
    action: 'session.start',
    subject: session.id,
    customerId: person.customerId,
    details: { secondFactor },
  });
  return { token, session };
}
