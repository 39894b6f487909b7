import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import { type AccountsDeps, generateId, notFound, type NotFound } from '../deps.ts';
import { markUsed, type PersonRef } from '../people/membership-store.ts';
import { findPerson, lockPerson, type Person, withoutCredentials } from '../people/person-store.ts';
import { hashToken, generateToken } from '../token.ts';
import {
  deleteEndedSessions,
  deleteOldestSessions,
  deleteSession,
  deletePersonSessions,
  findSessionByToken,
  insertSession,
  limitSession,
  listPersonSessions,
  setSessionCustomer,
  type Session,
  touchSession,
} from './session-store.ts';

const HOUR_MS = 3_600_000;
/** Idle time after which a session ends. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** Time after which a session ends even if it is in use. */
export const SESSION_MS = 7 * 24 * HOUR_MS;
/**
 * Minimum interval between updates of a session's last use, so that not every request causes a
 * write.
 */
const TOUCH_MS = 60_000;
/** Maximum number of sessions per person. A further sign-in ends the least recently used one. */
export const SESSIONS_MAX = 20;
/** Time for which the token from before a renewal still works. */
export const OLD_TOKEN_MS = 10_000;
const USER_AGENT_LENGTH_MAX = 200;

/** Origin of a request. */
export interface Client {
  address: string;
  userAgent: string | null;
}

/** Creates a session. `token` is set in the cookie and shown only once. */
export async function startSession(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  { id: personId, customerId }: Pick<Person, 'id' | 'customerId'>,
  client: Client,
): Promise<{ token: string; session: Session }> {
  const now = deps.clock.now();
  const token = generateToken(deps.random);
  const session = {
    id: generateId('ses', deps.random),
    personId,
    customerId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + SESSION_MS,
    passwordAt: now,
    address: client.address,
    userAgent: client.userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
  };
  await insertSession(tx, { ...session, tokenHash: hashToken(token) });
  await deleteEndedSessions(tx, now);
  await deleteOldestSessions(tx, { personId, keptId: session.id, max: SESSIONS_MAX });
  return { token, session };
}

/**
 * Replaces a session by one with a new token after its person has entered the password. The old
 * token keeps working for requests that were sent before the browser has the new one. Returns null
 * if the session has ended.
 */
export async function renewSession(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  session: Session,
): Promise<{ token: string; session: Session } | null> {
  const now = deps.clock.now();
  if (!(await limitSession(tx, session.id, now + OLD_TOKEN_MS))) return null;
  const token = generateToken(deps.random);
  const id = generateId('ses', deps.random);
  const renewed = { ...session, id, lastSeenAt: now, passwordAt: now };
  await insertSession(tx, { ...renewed, tokenHash: hashToken(token) });
  return { token, session: renewed };
}

/**
 * Returns the session for a token and the person as the session's membership shows them, or null if
 * the session or the membership has ended or is disabled.
 */
export async function findSession(
  deps: AccountsDeps,
  token: string,
): Promise<{ session: Session; person: Person } | null> {
  const now = deps.clock.now();
  const session = await findSessionByToken(deps.db, hashToken(token), sessionLimits(now));
  if (session === null) return null;
  const person = await findPerson(deps.db, session.personId, session.customerId);
  if (person === null || person.disabledAt !== null) return null;
  if (now - session.lastSeenAt >= TOUCH_MS) await touchSession(deps.db, session.id, now);
  return { session, person: withoutCredentials(person) };
}

/** Lists a person's active sessions, most recently used first. */
export function listSessions(deps: AccountsDeps, personId: string): Promise<Session[]> {
  return listPersonSessions(deps.db, personId, sessionLimits(deps.clock.now()));
}

/** Ends one of a person's sessions, possibly the current one. */
export function endSession(
  deps: AccountsDeps,
  options: PersonRef & { sessionId: string },
  actor: Actor,
): Promise<{ kind: 'ended' } | NotFound> {
  const { personId, customerId, sessionId } = options;
  return deps.db.transaction(async (tx) => {
    if (!(await deleteSession(tx, personId, sessionId))) return notFound;
    const at = deps.clock.now();
    await recordAuditEvent(tx, {
      actor,
      at,
      action: 'session.end',
      subject: sessionId,
      customerId,
    });
    return { kind: 'ended' };
  });
}

/** Ends all of a person's sessions, whatever they show: each of them could show this customer next. */
export function endAllSessions(
  deps: AccountsDeps,
  { personId, customerId }: PersonRef,
  actor: Actor,
): Promise<{ kind: 'ended'; count: number } | NotFound> {
  return deps.db.transaction(async (tx) => {
    if ((await findPerson(tx, personId, customerId)) === null) return notFound;
    const count = await deletePersonSessions(tx, personId);
    await recordAuditEvent(tx, {
      actor,
      at: deps.clock.now(),
      action: 'session.end-all',
      subject: personId,
      customerId,
      details: { count },
    });
    return { kind: 'ended', count };
  });
}

/** Shows another of the person's memberships in a session. */
export function switchSession(
  deps: AccountsDeps,
  options: PersonRef & { sessionId: string },
  actor: Actor,
): Promise<{ kind: 'switched' } | NotFound> {
  const { personId, customerId, sessionId } = options;
  return deps.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId, customerId);
    if (person === null || person.disabledAt !== null) return notFound;
    const at = deps.clock.now();
    await setSessionCustomer(tx, sessionId, customerId);
    await markUsed(tx, options, at);
    const action = 'session.switch';
    await recordAuditEvent(tx, { actor, at, action, subject: sessionId, customerId });
    return { kind: 'switched' };
  });
}

function sessionLimits(now: Instant): { now: Instant; idleSince: Instant } {
  return { now, idleSince: now - SESSION_IDLE_MS };
}

/** Returns a person as shown in the audit log. */
export function personActor(
  person: Pick<Person, 'id' | 'email'>,
  client: { address: string },
): Actor {
  return { kind: 'person', id: person.id, label: person.email, address: client.address };
}
