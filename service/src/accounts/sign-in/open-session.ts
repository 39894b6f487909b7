import type { Transaction } from '../../storage/db.ts';
import { recordAct } from '../audit-log.ts';
import type { AccountsDeps } from '../deps.ts';
import type { Person } from '../people/person-store.ts';
import { actorOf, startSession, type Visitor } from '../sessions/sessions.ts';
import type { Session } from '../sessions/session-store.ts';
import { rememberAddress } from './known-address.ts';

/** Signs in who has just proved who they are, in the transaction that found or made them. */
export async function openSession(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  options: { person: Person; visitor: Visitor; secondFactor: 'app' | 'recovery' | null },
): Promise<{ token: string; session: Session }> {
  const { person, visitor, secondFactor } = options;
  const at = deps.clock.now();
  const { token, session } = await startSession(tx, deps, person.id, visitor);
  await rememberAddress(tx, person.id, visitor.address, at);
  await recordAct(tx, {
    by: actorOf(person, visitor),
    at,
    act: 'session.start',
    subject: session.id,
    customerId: person.customerId,
    details: { secondFactor },
  });
  return { token, session };
}
